#include "agent/service/systemd_manager.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>
#include <systemd/sd-bus.h>

#include <cstring>
#include <mutex>

#include "agent/service/unit_facts.h"
#include "common/base/words.h"

namespace eos::service {
namespace {

constexpr char kSystemd[] = "org.freedesktop.systemd1";
constexpr char kManagerPath[] = "/org/freedesktop/systemd1";
constexpr char kManager[] = "org.freedesktop.systemd1.Manager";
constexpr char kUnit[] = "org.freedesktop.systemd1.Unit";
constexpr char kService[] = "org.freedesktop.systemd1.Service";
constexpr uint64_t kCallLimitUsec = 20'000'000;
constexpr int kSigtermStatus = 143;

struct BusClosed {
  void operator()(sd_bus* bus) const { sd_bus_flush_close_unref(bus); }
};
using BusPtr = std::unique_ptr<sd_bus, BusClosed>;

struct MessageFreed {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using MessagePtr = std::unique_ptr<sd_bus_message, MessageFreed>;

class BusError {
 public:
  BusError() = default;
  ~BusError() { sd_bus_error_free(&error_); }
  BusError(const BusError&) = delete;
  BusError& operator=(const BusError&) = delete;
  sd_bus_error* get() { return &error_; }
  std::string Name() const { return error_.name ? error_.name : ""; }
  std::string Text() const { return error_.message ? Printable(error_.message) : ""; }

 private:
  sd_bus_error error_ = SD_BUS_ERROR_NULL;
};

class SystemdManager final : public ServiceManager {
 public:
  explicit SystemdManager(SystemdSettings settings) : settings_(std::move(settings)) {}

  StatusOr<ServiceFacts> Look() override {
    const std::lock_guard lock(mutex_);
    EOS_ASSIGN_OR_RETURN(const UnitProperties unit, Properties());
    return FactsOf(unit);
  }

  StatusOr<std::optional<int>> MainPid() override {
    const std::lock_guard lock(mutex_);
    EOS_ASSIGN_OR_RETURN(const UnitProperties unit, Properties());
    return unit.main_pid > 0 ? std::optional<int>(unit.main_pid) : std::nullopt;
  }

  Status RequestStop() override { return Job("StopUnit"); }
  Status RequestRestart() override { return JobPastStartLimit("RestartUnit"); }
  Status RequestStart() override { return JobPastStartLimit("StartUnit"); }
  bool RestartsByItself() const override { return true; }

  Status Check() override {
    const std::lock_guard lock(mutex_);
    EOS_ASSIGN_OR_RETURN(const UnitProperties unit, Properties());
    if (unit.load_state == "loaded") return OkStatus();
    return Err(Reason::kServiceNotFound,
               fmt::format("looking at unit \"{}\": systemd says it is {}", settings_.unit, unit.load_state),
               fmt::format("see: systemctl status {}; correct \"unit\" in eos-agent's configuration",
                           settings_.unit));
  }

 private:
  // A connection lives until it fails once; sd-bus objects are not for two threads at a time.
  Status Connect() {
    if (bus_ && sd_bus_is_open(bus_.get()) > 0) return OkStatus();
    sd_bus* bus = nullptr;
    int result = 0;
    if (settings_.bus_address.empty()) {
      result = sd_bus_open_system(&bus);
    } else {
      result = sd_bus_new(&bus);
      if (result >= 0) result = sd_bus_set_address(bus, settings_.bus_address.c_str());
      if (result >= 0) result = sd_bus_set_bus_client(bus, 1);
      if (result >= 0) result = sd_bus_start(bus);
    }
    bus_.reset(bus);
    unit_path_.clear();
    if (result < 0) {
      bus_.reset();
      return Err(Reason::kServiceFailed, fmt::format("connecting to D-Bus: {}", std::strerror(-result)),
                 "see that systemd runs on this host and its bus can be reached: busctl status");
    }
    sd_bus_set_method_call_timeout(bus_.get(), kCallLimitUsec);
    return OkStatus();
  }

  Status Failed(const char* attempt, const BusError& error, int result) {
    if (result == -ENOTCONN || result == -ECONNRESET || result == -EPIPE) bus_.reset();
    const std::string what = fmt::format("{} unit \"{}\": {}", attempt, settings_.unit,
                                         error.Text().empty() ? std::strerror(-result) : error.Text());
    const std::string name = error.Name();
    if (name == "org.freedesktop.DBus.Error.AccessDenied" ||
        name == "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired" || result == -EACCES ||
        result == -EPERM) {
      return Err(
          Reason::kServiceDenied, what,
          "install deploy/polkit/50-connect-eos.rules, which lets the user of eos-agent manage this unit");
    }
    if (name == "org.freedesktop.systemd1.NoSuchUnit") {
      return Err(Reason::kServiceNotFound, what, "correct \"unit\" in eos-agent's configuration");
    }
    return Err(Reason::kServiceFailed, what, fmt::format("see: systemctl status {}", settings_.unit));
  }

  Status LoadUnit() {
    EOS_RETURN_IF_ERROR(Connect());
    if (!unit_path_.empty()) return OkStatus();
    BusError error;
    sd_bus_message* raw = nullptr;
    const int result = sd_bus_call_method(bus_.get(), kSystemd, kManagerPath, kManager, "LoadUnit",
                                          error.get(), &raw, "s", settings_.unit.c_str());
    const MessagePtr reply(raw);
    if (result < 0) return Failed("loading", error, result);
    const char* path = nullptr;
    if (sd_bus_message_read(reply.get(), "o", &path) < 0) return Failed("loading", error, -EBADMSG);
    unit_path_ = path;
    return OkStatus();
  }

  std::string Text(const char* interface, const char* property) {
    BusError error;
    char* text = nullptr;
    if (sd_bus_get_property_string(bus_.get(), kSystemd, unit_path_.c_str(), interface, property, error.get(),
                                   &text) < 0) {
      return {};
    }
    std::string copy = text;
    free(text);
    return copy;
  }

  template <typename T>
  T Number(const char* interface, const char* property, char type) {
    BusError error;
    T value{};
    const int result = sd_bus_get_property_trivial(bus_.get(), kSystemd, unit_path_.c_str(), interface,
                                                   property, error.get(), type, &value);
    return result < 0 ? T{} : value;
  }

  // SuccessExitStatus has the type (aiai): exit statuses, then signals.
  bool SuccessHas143() {
    BusError error;
    sd_bus_message* raw = nullptr;
    if (sd_bus_get_property(bus_.get(), kSystemd, unit_path_.c_str(), kService, "SuccessExitStatus",
                            error.get(), &raw, "(aiai)") < 0) {
      return false;
    }
    const MessagePtr reply(raw);
    const void* statuses = nullptr;
    size_t bytes = 0;
    if (sd_bus_message_enter_container(reply.get(), 'r', "aiai") < 0 ||
        sd_bus_message_read_array(reply.get(), 'i', &statuses, &bytes) < 0) {
      return false;
    }
    const auto* first = static_cast<const int32_t*>(statuses);
    for (size_t i = 0; i < bytes / sizeof(int32_t); ++i) {
      if (first[i] == kSigtermStatus) return true;
    }
    return false;
  }

  StatusOr<UnitProperties> Properties() {
    EOS_RETURN_IF_ERROR(LoadUnit());
    UnitProperties unit;
    unit.load_state = Text(kUnit, "LoadState");
    if (unit.load_state.empty()) {
      bus_.reset();  // the bus or systemd went away; the next call connects anew
      return Err(Reason::kServiceFailed,
                 fmt::format("looking at unit \"{}\": systemd does not answer", settings_.unit));
    }
    unit.active_state = Text(kUnit, "ActiveState");
    unit.sub_state = Text(kUnit, "SubState");
    unit.result = Text(kService, "Result");
    unit.exec_main_code = Number<int32_t>(kService, "ExecMainCode", 'i');
    unit.exec_main_status = Number<int32_t>(kService, "ExecMainStatus", 'i');
    unit.main_pid = static_cast<int>(Number<uint32_t>(kService, "MainPID", 'u'));
    unit.timeout_stop_usec = Number<uint64_t>(kService, "TimeoutStopUSec", 't');
    unit.need_daemon_reload = Number<int>(kUnit, "NeedDaemonReload", 'b') != 0;
    unit.restart = Text(kService, "Restart");
    unit.success_has_143 = SuccessHas143();
    return unit;
  }

  Status CallManager(const char* method, bool with_mode) {
    BusError error;
    sd_bus_message* raw = nullptr;
    const int result = with_mode
                           ? sd_bus_call_method(bus_.get(), kSystemd, kManagerPath, kManager, method,
                                                error.get(), &raw, "ss", settings_.unit.c_str(), "replace")
                           : sd_bus_call_method(bus_.get(), kSystemd, kManagerPath, kManager, method,
                                                error.get(), &raw, "s", settings_.unit.c_str());
    const MessagePtr reply(raw);
    return result < 0 ? Failed(method, error, result) : OkStatus();
  }

  Status Job(const char* method) {
    const std::lock_guard lock(mutex_);
    EOS_RETURN_IF_ERROR(Connect());
    return CallManager(method, true);
  }

  // A unit that hit its start limit refuses every start until it is told to forget its failures.
  Status JobPastStartLimit(const char* method) {
    const std::lock_guard lock(mutex_);
    EOS_ASSIGN_OR_RETURN(const UnitProperties unit, Properties());
    if (unit.result == "start-limit-hit") {
      spdlog::warn("unit {}: its start limit was hit; resetting it once", settings_.unit);
      EOS_RETURN_IF_ERROR(CallManager("ResetFailedUnit", false));
    }
    return CallManager(method, true);
  }

  const SystemdSettings settings_;
  std::mutex mutex_;
  BusPtr bus_;
  std::string unit_path_;
};

}  // namespace

std::unique_ptr<ServiceManager> NewSystemdManager(SystemdSettings settings) {
  return std::make_unique<SystemdManager>(std::move(settings));
}

}  // namespace eos::service
