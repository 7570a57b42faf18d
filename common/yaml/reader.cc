#include "common/yaml/reader.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "common/base/words.h"

namespace eos::yaml {
namespace {

constexpr size_t kMaxText = 1U << 20U;

size_t LineOf(const YAML::Mark& mark) { return static_cast<size_t>(mark.line + 1); }

std::string_view KindOf(const YAML::Node& node) {
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  if (node.IsScalar()) return "a single value";
  return "empty";
}

// "500ms", "10s", "5min", "1h".
std::optional<Millis> ParseDuration(std::string_view text) {
  int64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number > 1'000'000'000) return std::nullopt;
  const std::string_view unit(rest, static_cast<size_t>(text.data() + text.size() - rest));
  if (unit == "ms") return Millis{number};
  if (unit == "s") return std::chrono::seconds{number};
  if (unit == "min") return std::chrono::minutes{number};
  if (unit == "h") return std::chrono::hours{number};
  return std::nullopt;
}

}  // namespace

struct Map::Shared {
  std::string file;
  Status error;
};

StatusOr<Map> Map::Parse(const std::string& text, std::string file) {
  if (text.size() > kMaxText) {
    return Err(Reason::kUsage, fmt::format("{}: larger than {} bytes", file, kMaxText));
  }
  try {
    Map map;
    map.node_ = YAML::Load(text);
    map.shared_ = std::make_shared<Shared>();
    map.shared_->file = std::move(file);
    if (!map.node_.IsMap()) {
      return Err(Reason::kUsage, fmt::format("{}:1: the file must be a mapping, it is {}", map.shared_->file,
                                             KindOf(map.node_)));
    }
    map.RefuseDuplicates();
    if (!map.shared_->error.ok()) return map.shared_->error;
    return map;
  } catch (const YAML::Exception& error) {
    return Err(Reason::kUsage, fmt::format("{}:{}: {}", file, LineOf(error.mark), error.msg));
  }
}

void Map::RefuseDuplicates() {
  std::set<std::string> seen;
  for (const auto& pair : node_) {
    if (!pair.first.IsScalar()) {
      Fail(Err(Reason::kUsage,
               fmt::format("{}:{}: a key must be a word", shared_->file, LineOf(pair.first.Mark()))));
    } else if (!seen.insert(pair.first.Scalar()).second) {
      Fail(Err(Reason::kUsage, fmt::format("{}:{}: key \"{}\" is there twice", shared_->file,
                                           LineOf(pair.first.Mark()), Printable(pair.first.Scalar()))));
    }
  }
}

void Map::Fail(Status error) {
  if (shared_->error.ok()) shared_->error = std::move(error);
}

Status Map::ErrorAt(std::string_view key, const std::string& message, const std::string& fix) const {
  const YAML::Node child = node_[std::string(key)];
  const size_t line = LineOf(child.IsDefined() ? child.Mark() : node_.Mark());
  return Err(Reason::kUsage, fmt::format("{}:{}: {}", shared_->file, line, message), fix);
}

bool Map::Has(std::string_view key) const {
  const YAML::Node child = node_[std::string(key)];
  return child.IsDefined() && !child.IsNull();
}

// A key that is there and looks like the one that is missing.
std::string Map::MeantBy(std::string_view key) const {
  std::vector<std::string> present;
  for (const auto& pair : node_) {
    if (pair.first.Scalar() != key) present.push_back(pair.first.Scalar());
  }
  const std::vector<std::string_view> views(present.begin(), present.end());
  const auto nearest = Nearest(key, views);
  if (!nearest) return {};
  const YAML::Node found = node_[std::string(*nearest)];
  return fmt::format("line {} says \"{}\"; did you mean \"{}\"?", LineOf(found.Mark()), Printable(*nearest),
                     key);
}

YAML::Node Map::Take(std::string_view key, bool required) {
  known_.emplace_back(key);
  if (Has(key)) return node_[std::string(key)];
  if (required) Fail(ErrorAt(key, fmt::format("key \"{}\" is missing or empty", key), MeantBy(key)));
  return YAML::Node(YAML::NodeType::Undefined);
}

std::optional<std::string> Map::TakeScalar(std::string_view key, bool required) {
  const YAML::Node node = Take(key, required);
  if (!node.IsDefined()) return std::nullopt;
  if (node.IsScalar() && !node.Scalar().empty()) return node.Scalar();
  Fail(ErrorAt(key, fmt::format("\"{}\" must be a single value, it is {}", key,
                                node.IsScalar() ? "empty" : KindOf(node))));
  return std::nullopt;
}

std::string Map::String(std::string_view key) { return TakeScalar(key, true).value_or(""); }
std::optional<std::string> Map::OptionalString(std::string_view key) { return TakeScalar(key, false); }

int Map::Int(std::string_view key, int fallback, int low, int high) {
  const auto text = TakeScalar(key, false);
  if (!text) return fallback;
  int number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error == std::errc() && end == text->data() + text->size() && number >= low && number <= high)
    return number;
  Fail(ErrorAt(key, fmt::format("\"{}\" must be a whole number from {} to {}", key, low, high)));
  return fallback;
}

bool Map::Bool(std::string_view key, bool fallback) {
  const auto text = TakeScalar(key, false);
  if (!text) return fallback;
  if (*text == "true") return true;
  if (*text == "false") return false;
  Fail(ErrorAt(key, fmt::format("\"{}\" must be true or false", key)));
  return fallback;
}

Millis Map::Duration(std::string_view key, Millis fallback, Millis low, Millis high) {
  const auto text = TakeScalar(key, false);
  if (!text) return fallback;
  const auto duration = ParseDuration(*text);
  if (duration && *duration >= low && *duration <= high) return *duration;
  Fail(ErrorAt(key, fmt::format("\"{}\" must be a time from {} to {}, written like 500ms, 10s, 5min or 1h",
                                key, FormatDuration(low), FormatDuration(high))));
  return fallback;
}

std::string Map::OneOf(std::string_view key, std::string_view fallback,
                       const std::vector<std::string_view>& words) {
  const auto text = TakeScalar(key, false);
  if (!text) return std::string(fallback);
  if (std::find(words.begin(), words.end(), *text) != words.end()) return *text;
  std::string all;
  for (const std::string_view word : words) all += (all.empty() ? "" : ", ") + std::string(word);
  Fail(ErrorAt(key, fmt::format("\"{}\" must be one of: {}", key, all)));
  return std::string(fallback);
}

std::optional<std::vector<std::string>> Map::OptionalStrings(std::string_view key) {
  const YAML::Node node = Take(key, false);
  if (!node.IsDefined()) return std::nullopt;
  std::vector<std::string> texts;
  if (node.IsSequence()) {
    for (const YAML::Node& item : node) {
      if (item.IsScalar()) texts.push_back(item.Scalar());
    }
  }
  if (texts.empty() || texts.size() != node.size()) {
    Fail(ErrorAt(key, fmt::format("\"{}\" must be a list of values", key)));
  }
  return texts;
}

std::vector<std::string> Map::Strings(std::string_view key) {
  if (!Has(key)) Take(key, true);
  return OptionalStrings(key).value_or(std::vector<std::string>{});
}

std::vector<std::pair<std::string, std::string>> Map::Scalars() {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& pair : node_) {
    const std::string key = pair.first.Scalar();
    known_.push_back(key);
    if (pair.second.IsScalar()) {
      pairs.emplace_back(key, pair.second.Scalar());
    } else {
      Fail(ErrorAt(
          key, fmt::format("\"{}\" must be a single value, it is {}", Printable(key), KindOf(pair.second))));
    }
  }
  return pairs;
}

Map Map::Of(const YAML::Node& node) const {
  Map map;
  map.node_ = node;
  map.shared_ = shared_;
  map.RefuseDuplicates();
  return map;
}

std::optional<Map> Map::OptionalChild(std::string_view key) {
  const YAML::Node node = Take(key, false);
  if (!node.IsDefined()) return std::nullopt;
  if (node.IsMap()) return Of(node);
  Fail(ErrorAt(key, fmt::format("\"{}\" must be a mapping, it is {}", key, KindOf(node))));
  return std::nullopt;
}

Map Map::Child(std::string_view key) {
  if (!Has(key)) Take(key, true);
  if (auto child = OptionalChild(key)) return *std::move(child);
  Map empty;
  empty.node_ = YAML::Node(YAML::NodeType::Map);
  // What it lacks in turn is not said: its own absence is.
  empty.shared_ = std::make_shared<Shared>(Shared{shared_->file, shared_->error});
  return empty;
}

std::vector<Map> Map::Children(std::string_view key) {
  const YAML::Node node = Take(key, true);
  std::vector<Map> maps;
  if (!node.IsDefined()) return maps;
  if (!node.IsSequence() || node.size() == 0) {
    Fail(ErrorAt(key, fmt::format("\"{}\" must be a list", key)));
    return maps;
  }
  for (const YAML::Node& item : node) {
    if (item.IsMap()) {
      maps.push_back(Of(item));
    } else {
      Fail(Err(Reason::kUsage, fmt::format("{}:{}: each of \"{}\" must be a mapping, this is {}",
                                           shared_->file, LineOf(item.Mark()), key, KindOf(item))));
    }
  }
  return maps;
}

Status Map::Finish() {
  if (!shared_->error.ok()) return shared_->error;
  std::vector<std::string_view> known(known_.begin(), known_.end());
  for (const auto& pair : node_) {
    const std::string& key = pair.first.Scalar();
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const auto nearest = Nearest(key, known);
    Fail(Err(
        Reason::kUsage,
        fmt::format("{}:{}: unknown key \"{}\"", shared_->file, LineOf(pair.first.Mark()), Printable(key)),
        nearest ? fmt::format("did you mean \"{}\"?", *nearest) : ""));
    break;
  }
  return shared_->error;
}

}  // namespace eos::yaml
