#include "agent/config/config.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <set>

#include "common/base/words.h"
#include "common/files/file_system.h"
#include "common/yaml/reader.h"

namespace eos::config {
namespace {

constexpr size_t kMaxConfig = 1U << 20U;

// Names become names of records on disk.
bool IsName(const std::string& name) {
  return name.size() <= 100 && !name.starts_with('.') && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                  c == '_' || c == '.';
         });
}

bool IsUrl(const std::string& url) {
  const size_t scheme = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
  std::string rest = url.substr(scheme);
  if (rest.ends_with('/')) rest.pop_back();
  const size_t colon = rest.rfind(':');
  if (scheme == 0 || colon == std::string::npos || colon == 0) return false;
  const std::string port = rest.substr(colon + 1);
  return !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string::npos &&
         rest.find_first_of("/@?# ") == std::string::npos;
}

bool IsCaller(const std::string& caller) {
  const bool prefix = caller.ends_with("/*");
  const std::string rest = prefix ? caller.substr(0, caller.size() - 2) : caller;
  if (rest.find('*') != std::string::npos) return false;
  if (rest.starts_with("dns:")) return rest.size() > 4 && !prefix;
  const size_t scheme = rest.find("://");
  return scheme != std::string::npos && scheme > 0 && rest.size() > scheme + 3;
}

class Parser {
 public:
  Parser(yaml::Map& root, std::string folder) : root_(root), folder_(std::move(folder)) {}

  AgentConfig Parse() {
    AgentConfig config;
    config.listen = root_.String("listen");
    config.state_directory = Path(root_.String("state_directory"));
    yaml::Map tls = root_.Child("tls");
    config.tls = {Path(tls.String("certificate")), Path(tls.String("key")), Path(tls.String("ca"))};
    config.tls_refresh = tls.Duration("refresh", config.tls_refresh, Millis{100}, std::chrono::hours{24});
    End(tls);
    config.callers = root_.Strings("callers");
    for (const std::string& caller : config.callers) {
      if (IsCaller(caller)) continue;
      root_.Fail(root_.ErrorAt(
          "callers", fmt::format("\"{}\" is no caller", Printable(caller)),
          "write a URI SAN (spiffe://example/operator/alice), a prefix of one that ends in /*, or "
          "dns:NAME"));
    }
    for (yaml::Map& worker : root_.Children("workers")) config.workers.push_back(Worker(worker));
    return config;
  }

 private:
  std::string Path(const std::string& path) const {
    return path.empty() || path.front() == '/' || folder_.empty() ? path : folder_ + "/" + path;
  }

  void End(yaml::Map& map) {
    if (const Status status = map.Finish(); !status.ok()) root_.Fail(status);
  }

  void Unique(yaml::Map& map, std::set<std::string>& seen, const char* key, const std::string& value) {
    if (!value.empty() && !seen.insert(value).second) {
      root_.Fail(map.ErrorAt(key, fmt::format("two workers have the {} \"{}\"", key, Printable(value))));
    }
  }

  std::string Name(yaml::Map& map, const char* key) {
    const std::string name = map.String(key);
    if (!IsName(name)) {
      root_.Fail(
          map.ErrorAt(key, fmt::format("\"{}\" may hold letters, digits, '-', '_' and '.' only", key)));
    }
    return name;
  }

  std::string Url(yaml::Map& map, const char* key) {
    const std::string url = map.String(key);
    if (!url.empty() && !IsUrl(url)) {
      root_.Fail(map.ErrorAt(key, fmt::format("\"{}\" must be scheme, host and port", key),
                             "write it like http://c1.example:8083"));
    }
    return url;
  }

  WorkerConfig Worker(yaml::Map& map) {
    WorkerConfig worker;
    worker.name = Name(map, "name");
    worker.fleet = Name(map, "fleet");
    worker.properties_file = Path(map.String("properties_file"));
    worker.advertised_url = Url(map, "advertised_url");
    Unique(map, names_, "name", worker.name);
    Unique(map, files_, "properties_file", worker.properties_file);
    Unique(map, urls_, "advertised_url", worker.advertised_url);
    worker.rest = Rest(map);
    worker.service = Service(map);
    worker.log = Log(map, std::holds_alternative<service::SystemdSettings>(worker.service));
    End(map);
    return worker;
  }

  worker::RestSettings Rest(yaml::Map& map) {
    worker::RestSettings settings;
    yaml::Map rest = map.Child("rest");
    settings.url = Url(rest, "url");
    settings.ca_file = Path(rest.OptionalString("ca").value_or(""));
    settings.certificate_file = Path(rest.OptionalString("certificate").value_or(""));
    settings.key_file = Path(rest.OptionalString("key").value_or(""));
    settings.basic_auth_file = Path(rest.OptionalString("basic_auth_file").value_or(""));
    if (settings.certificate_file.empty() != settings.key_file.empty()) {
      root_.Fail(rest.ErrorAt("certificate", "\"certificate\" and \"key\" of \"rest\" go together"));
    }
    End(rest);
    return settings;
  }

  std::variant<service::SystemdSettings, service::CommandSettings> Service(yaml::Map& worker) {
    yaml::Map service = worker.Child("service");
    auto systemd = service.OptionalChild("systemd");
    auto commands = service.OptionalChild("commands");
    End(service);
    if (systemd.has_value() == commands.has_value()) {
      root_.Fail(worker.ErrorAt("service", "\"service\" needs either \"systemd\" or \"commands\""));
      return service::SystemdSettings{};
    }
    if (systemd) {
      service::SystemdSettings settings{systemd->String("unit"), ""};
      if (!settings.unit.empty() && settings.unit.find('.') == std::string::npos) settings.unit += ".service";
      End(*systemd);
      return settings;
    }
    service::CommandSettings settings;
    settings.start = commands->Strings("start");
    settings.stop = commands->Strings("stop");
    settings.status = commands->Strings("status");
    settings.limit =
        commands->Duration("limit", settings.limit, std::chrono::seconds{1}, std::chrono::minutes{10});
    End(*commands);
    return settings;
  }

  std::variant<std::monostate, LogFile, Journal> Log(yaml::Map& worker, bool systemd) {
    auto log = worker.OptionalChild("log");
    if (!log) return std::monostate{};
    const auto file = log->OptionalString("file");
    const bool journal = log->Bool("journal", false);
    End(*log);
    if (file.has_value() == journal) {
      root_.Fail(worker.ErrorAt("log", "\"log\" needs either \"file\" or \"journal: true\""));
    } else if (journal && !systemd) {
      root_.Fail(worker.ErrorAt("log", "\"journal\" needs a systemd unit",
                                "name a log file instead: log: {file: …}"));
    }
    if (file) return LogFile{Path(*file)};
    return Journal{};
  }

  yaml::Map& root_;
  const std::string folder_;
  std::set<std::string> names_;
  std::set<std::string> files_;
  std::set<std::string> urls_;
};

}  // namespace

StatusOr<AgentConfig> ParseConfig(const std::string& text, const std::string& name_for_messages,
                                  const std::string& folder) {
  EOS_ASSIGN_OR_RETURN(yaml::Map root, yaml::Map::Parse(text, name_for_messages));
  AgentConfig config = Parser(root, folder).Parse();
  EOS_RETURN_IF_ERROR(root.Finish());
  return config;
}

StatusOr<AgentConfig> LoadConfig(const std::string& path) {
  const PosixFileSystem files;
  const auto text = files.Read(path, kMaxConfig);
  if (!text.ok()) {
    return Err(Reason::kUsage, std::string(text.status().message()),
               "name the configuration: eos-agent --config FILE; an example is deploy/examples/agent.yaml");
  }
  const size_t slash = path.rfind('/');
  return ParseConfig(*text, path, slash == std::string::npos ? "" : path.substr(0, slash));
}

}  // namespace eos::config
