// systemd's manager and one unit, on a real D-Bus of the test's own (dbus-daemon). Links sd-bus.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/fakes/temp_dir.h"

extern char** environ;

namespace eos::fakes {

// A message bus, ended with it.
class PrivateBus {
 public:
  PrivateBus() {
    dir_.Write("bus.conf",
               "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" "
               "\"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n"
               "<busconfig><type>session</type><listen>unix:path=" +
                   (dir_ / "socket") +
                   "</listen><policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>"
                   "<allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>\n");
    int ends[2];
    if (pipe(ends) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    std::vector<std::string> arguments{"dbus-daemon", "--nofork", "--config-file=" + (dir_ / "bus.conf"),
                                       "--print-address"};
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const bool started = posix_spawnp(&pid_, "dbus-daemon", &actions, nullptr, argv.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char text[512] = {};
    const ssize_t count = started ? read(ends[0], text, sizeof(text) - 1) : 0;  // it prints when it listens
    close(ends[0]);
    if (count > 0) address_ = std::string(text, std::strcspn(text, "\n"));
  }
  ~PrivateBus() { End(); }
  void End() {
    if (pid_ <= 0) return;
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  const std::string& address() const { return address_; }  // empty: dbus-daemon is not installed

 private:
  TempDir dir_;
  pid_t pid_ = 0;
  std::string address_;
};

class FakeSystemd {
 public:
  // What the unit says. Set before the manager asks, or under `mutex`.
  std::mutex mutex;
  std::string load_state = "loaded";
  std::string active_state = "active";
  std::string sub_state = "running";
  std::string result = "success";
  int32_t exec_main_code = 0;
  int32_t exec_main_status = 0;
  uint32_t main_pid = 4711;
  bool denies = false;
  std::vector<std::string> calls;

  explicit FakeSystemd(const std::string& address) {
    sd_bus_new(&bus_);
    sd_bus_set_address(bus_, address.c_str());
    sd_bus_set_bus_client(bus_, 1);
    sd_bus_start(bus_);
    sd_bus_add_object_vtable(bus_, nullptr, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
                             kManager, this);
    sd_bus_add_object_vtable(bus_, nullptr, kUnitPath, "org.freedesktop.systemd1.Unit", kUnit, this);
    sd_bus_add_object_vtable(bus_, nullptr, kUnitPath, "org.freedesktop.systemd1.Service", kService, this);
    ready_ = sd_bus_request_name(bus_, "org.freedesktop.systemd1", 0) >= 0;
    thread_ = std::thread([this] {
      while (!end_) {
        while (sd_bus_process(bus_, nullptr) > 0) {
        }
        sd_bus_wait(bus_, 20'000);
      }
    });
  }
  ~FakeSystemd() {
    end_ = true;
    thread_.join();
    sd_bus_flush_close_unref(bus_);
  }
  bool ready() const { return ready_; }

 private:
  static constexpr char kUnitPath[] = "/org/freedesktop/systemd1/unit/kafka_2dconnect_2eservice";

  static int LoadUnit(sd_bus_message* message, void*, sd_bus_error*) {
    return sd_bus_reply_method_return(message, "o", kUnitPath);
  }
  static int Job(sd_bus_message* message, void* self, sd_bus_error* error) {
    auto* systemd = static_cast<FakeSystemd*>(self);
    const std::lock_guard lock(systemd->mutex);
    systemd->calls.emplace_back(sd_bus_message_get_member(message));
    if (systemd->denies) {
      return sd_bus_error_set(error, "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired",
                              "Interactive authentication required.");
    }
    return sd_bus_reply_method_return(message, "o", "/org/freedesktop/systemd1/job/1");
  }
  static int Reset(sd_bus_message* message, void* self, sd_bus_error*) {
    auto* systemd = static_cast<FakeSystemd*>(self);
    const std::lock_guard lock(systemd->mutex);
    systemd->calls.emplace_back("ResetFailedUnit");
    systemd->result = "success";
    return sd_bus_reply_method_return(message, "");
  }
  static int Property(sd_bus*, const char*, const char*, const char* name, sd_bus_message* reply, void* self,
                      sd_bus_error*) {
    auto* systemd = static_cast<FakeSystemd*>(self);
    const std::lock_guard lock(systemd->mutex);
    const std::string property = name;
    if (property == "LoadState") return sd_bus_message_append(reply, "s", systemd->load_state.c_str());
    if (property == "ActiveState") return sd_bus_message_append(reply, "s", systemd->active_state.c_str());
    if (property == "SubState") return sd_bus_message_append(reply, "s", systemd->sub_state.c_str());
    if (property == "NeedDaemonReload") return sd_bus_message_append(reply, "b", 0);
    if (property == "Result") return sd_bus_message_append(reply, "s", systemd->result.c_str());
    if (property == "ExecMainCode") return sd_bus_message_append(reply, "i", systemd->exec_main_code);
    if (property == "ExecMainStatus") return sd_bus_message_append(reply, "i", systemd->exec_main_status);
    if (property == "MainPID") return sd_bus_message_append(reply, "u", systemd->main_pid);
    if (property == "TimeoutStopUSec") return sd_bus_message_append(reply, "t", uint64_t{90'000'000});
    if (property == "Restart") return sd_bus_message_append(reply, "s", "on-failure");
    return sd_bus_message_append(reply, "(aiai)", 1, 143, 0);  // SuccessExitStatus
  }

  inline static const sd_bus_vtable kManager[] = {
      SD_BUS_VTABLE_START(0),
      SD_BUS_METHOD("LoadUnit", "s", "o", LoadUnit, SD_BUS_VTABLE_UNPRIVILEGED),
      SD_BUS_METHOD("StartUnit", "ss", "o", Job, SD_BUS_VTABLE_UNPRIVILEGED),
      SD_BUS_METHOD("StopUnit", "ss", "o", Job, SD_BUS_VTABLE_UNPRIVILEGED),
      SD_BUS_METHOD("RestartUnit", "ss", "o", Job, SD_BUS_VTABLE_UNPRIVILEGED),
      SD_BUS_METHOD("ResetFailedUnit", "s", "", Reset, SD_BUS_VTABLE_UNPRIVILEGED),
      SD_BUS_VTABLE_END};
  inline static const sd_bus_vtable kUnit[] = {SD_BUS_VTABLE_START(0),
                                               SD_BUS_PROPERTY("LoadState", "s", Property, 0, 0),
                                               SD_BUS_PROPERTY("ActiveState", "s", Property, 0, 0),
                                               SD_BUS_PROPERTY("SubState", "s", Property, 0, 0),
                                               SD_BUS_PROPERTY("NeedDaemonReload", "b", Property, 0, 0),
                                               SD_BUS_VTABLE_END};
  inline static const sd_bus_vtable kService[] = {
      SD_BUS_VTABLE_START(0),
      SD_BUS_PROPERTY("Result", "s", Property, 0, 0),
      SD_BUS_PROPERTY("ExecMainCode", "i", Property, 0, 0),
      SD_BUS_PROPERTY("ExecMainStatus", "i", Property, 0, 0),
      SD_BUS_PROPERTY("MainPID", "u", Property, 0, 0),
      SD_BUS_PROPERTY("TimeoutStopUSec", "t", Property, 0, 0),
      SD_BUS_PROPERTY("Restart", "s", Property, 0, 0),
      SD_BUS_PROPERTY("SuccessExitStatus", "(aiai)", Property, 0, 0),
      SD_BUS_VTABLE_END};

  sd_bus* bus_ = nullptr;
  bool ready_ = false;
  std::atomic<bool> end_ = false;
  std::thread thread_;
};

}  // namespace eos::fakes
