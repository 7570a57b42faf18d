// Some thousand files from fixed seeds, each edited in every way, before and after read by
// java.util.Properties: all other keys equal, ours as wanted, and refused here exactly where Java refuses.
#include <spawn.h>
#include <spdlog/fmt/fmt.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>

#include "agent/properties/change.h"
#include "agent/properties/properties.h"

extern char** environ;

namespace eos::properties {
namespace {

constexpr int kFiles = 4'000;

const std::vector<std::string>& Pieces() {
  static const std::vector<std::string> kPieces{std::string(kModeKey),
                                                std::string(kDelayKey),
                                                "exactly\\.once.source.support",
                                                "exactly.once.source.\\u0073upport",
                                                "group.id",
                                                "a",
                                                "sasl.jaas.config",
                                                "=",
                                                "=",
                                                ":",
                                                " ",
                                                "\t",
                                                "\f",
                                                " = ",
                                                "\\",
                                                "\\\\",
                                                "\\\n",
                                                "\\\r\n",
                                                "\\\n  ",
                                                "\n",
                                                "\n",
                                                "\n",
                                                "\r\n",
                                                "\r",
                                                "#",
                                                "!",
                                                "# c \\\n",
                                                "disabled",
                                                "Enabled",
                                                "preparing",
                                                "300000",
                                                "1000",
                                                " 5 ",
                                                "\\u0041",
                                                "\\u263a",
                                                "\\u00",
                                                "\\uzzzz",
                                                "\\:",
                                                "\\=",
                                                "\\#",
                                                "\\t",
                                                "\\n",
                                                "${file:/x:y}",
                                                "value",
                                                "\xE9",
                                                "\xC3\xA9",
                                                std::string(1, '\0'),
                                                "\x0b",
                                                "\x85",
                                                "\xEF\xBB\xBF"};
  return kPieces;
}

std::string RandomFile(std::mt19937& random) {
  std::string bytes;
  const size_t pieces = 1 + random() % 40;
  for (size_t i = 0; i < pieces; ++i) bytes += Pieces()[random() % Pieces().size()];
  return bytes;
}

void Write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

using Keys = std::map<std::string, std::string>;

std::optional<Keys> ReadOracle(const std::string& path) {
  std::ifstream in(path + ".out");
  Keys keys;
  std::string key;
  std::string value;
  while (in >> key) {
    if (key == "refused") return std::nullopt;
    in >> value;
    keys[key] = value;
  }
  return keys;
}

std::string Hex(std::string_view ascii) {
  std::string hex = "x";
  for (const char c : ascii) hex += fmt::format("00{:02x}", static_cast<unsigned char>(c));
  return hex;
}

int RunJava(const std::string& oracle, const std::string& folder, int count) {
  std::vector<std::string> arguments{"java", "-Xmx256m", "-XX:+UseSerialGC",   "-XX:TieredStopAtLevel=1",
                                     oracle, folder,     std::to_string(count)};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  if (posix_spawnp(&pid, "java", nullptr, nullptr, argv.data(), environ) != 0) return -1;
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct Edit {
  std::optional<Mode> mode;
  DelayChange delay = DelayChange::kKeep;
};

const std::vector<Edit>& Edits() {
  static const std::vector<Edit> kEdits{{Mode::kDisabled, DelayChange::kKeep},
                                        {Mode::kPreparing, DelayChange::kKeep},
                                        {Mode::kEnabled, DelayChange::kSetTemporary},
                                        {std::nullopt, DelayChange::kSetTemporary}};
  return kEdits;
}

class Differential {
 public:
  Differential(std::string oracle, std::string folder)
      : oracle_(std::move(oracle)), folder_(std::move(folder)) {}

  int Run() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::mt19937 random(618);
    for (int i = 0; i < kFiles; ++i) Prepare(RandomFile(random));
    if (RunJava(oracle_, folder_, next_) != 0) {
      std::cerr << "java did not run: this test needs a JDK 17; install openjdk-17-jdk-headless\n";
      return 1;
    }
    for (const Trial& trial : trials_) Check(trial);
    std::cout << fmt::format("{} files, {} edits, {} refused by Java, {} failures\n", kFiles, checked_,
                             refused_, failures_);
    std::filesystem::remove_all(folder_);
    return failures_ == 0 && checked_ > kFiles && refused_ > 100 ? 0 : 1;
  }

 private:
  struct Trial {
    int before = 0;
    int after = 0;  // -1: not edited
    int back = -1;  // with the delay put back
    Edit edit;
    bool parsed = false;
    bool indirect = false;
    std::string bytes;
  };

  int Keep(const std::string& bytes) {
    Write(fmt::format("{}/{}", folder_, next_), bytes);
    return next_++;
  }

  void Prepare(const std::string& bytes) {
    const int before = Keep(bytes);
    for (const Edit& edit : Edits()) {
      Trial trial{before, -1, -1, edit, Document::Parse(bytes).ok(), false, bytes};
      const auto change = Apply(bytes, edit.mode, edit.delay, Millis{1'500}, std::nullopt, Time{});
      trial.indirect = ReasonOf(change.status()) == Reason::kFileIndirect;
      if (change.ok()) {
        trial.after = Keep(change->bytes);
        const auto again =
            Apply(change->bytes, edit.mode, edit.delay, Millis{1'500}, change->temporary, Time{});
        if (!again.ok() || again->bytes != change->bytes) Fail(trial, "a second run changes something");
        const auto back =
            Apply(change->bytes, std::nullopt, DelayChange::kPutBack, Millis{0}, change->temporary, Time{});
        if (back.ok()) trial.back = Keep(back->bytes);
      }
      trials_.push_back(std::move(trial));
    }
  }

  void Check(const Trial& trial) {
    ++checked_;
    const auto before = ReadOracle(fmt::format("{}/{}", folder_, trial.before));
    if (!before) ++refused_;
    if (before.has_value() != trial.parsed)
      return Fail(trial, before ? "Java loads it, we refuse" : "Java refuses it, we load");
    if (!before || trial.indirect) return;
    if (trial.after < 0) return Fail(trial, "not edited");
    auto expected = *before;
    if (trial.edit.mode) Expect(expected, kModeKey, *trial.edit.mode);
    auto put_back = expected;
    if (trial.edit.delay == DelayChange::kSetTemporary) ExpectDelay(expected);
    const auto after = ReadOracle(fmt::format("{}/{}", folder_, trial.after));
    if (!after || *after != expected) return Fail(trial, "Java reads the edited file otherwise");
    if (trial.back < 0) return Fail(trial, "not put back");
    const auto back = ReadOracle(fmt::format("{}/{}", folder_, trial.back));
    if (!back || *back != put_back) Fail(trial, "Java reads the file with the delay put back otherwise");
  }

  // A value that says the same in another spelling is left alone.
  static void Expect(Keys& keys, std::string_view key, Mode mode) {
    const auto found = keys.find(Hex(key));
    if (found != keys.end() && ParseMode(Ascii(found->second)) == mode) return;
    keys[Hex(key)] = Hex(ToString(mode));
  }
  static void ExpectDelay(Keys& keys) {
    const auto found = keys.find(Hex(kDelayKey));
    if (found != keys.end() && Ascii(found->second) == "1500") return;
    keys[Hex(kDelayKey)] = Hex("1500");
  }
  static std::string Ascii(const std::string& hex) {
    std::string text;
    for (size_t i = 1; i + 3 < hex.size(); i += 4)
      text += static_cast<char>(std::stoi(hex.substr(i + 2, 2), nullptr, 16));
    return text;
  }

  void Fail(const Trial& trial, const char* why) {
    if (++failures_ <= 10) {
      std::cerr << why << ", edit to " << (trial.edit.mode ? ToString(*trial.edit.mode) : "-") << "/"
                << ToString(trial.edit.delay) << ": ";
      for (const char c : trial.bytes) {
        if (c >= ' ' && c <= '~') {
          std::cerr << c;
        } else {
          std::cerr << fmt::format("<{:02x}>", static_cast<unsigned char>(c));
        }
      }
      std::cerr << "\n";
    }
  }

  const std::string oracle_;
  const std::string folder_;
  int next_ = 0;
  std::vector<Trial> trials_;
  int checked_ = 0;
  int refused_ = 0;
  int failures_ = 0;
};

}  // namespace
}  // namespace eos::properties

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  return eos::properties::Differential(argv[1], argv[2]).Run();
}
