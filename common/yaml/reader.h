// Reading a YAML configuration strictly: every message has the line, every unknown key the nearest known one.
#pragma once

#include <yaml-cpp/yaml.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/time.h"

namespace eos::yaml {

// One mapping. Ask for each key once, then call Finish: keys that nobody asked for are errors. The first
// error wins and is kept; getters give empty values after it.
class Map {
 public:
  // `file` is for messages. kUsage for what is no YAML, no mapping, or above 1 MiB; yaml-cpp resolves aliases
  // without copying what they name.
  static StatusOr<Map> Parse(const std::string& text, std::string file);

  std::string String(std::string_view key);  // required, not empty
  std::optional<std::string> OptionalString(std::string_view key);
  int Int(std::string_view key, int fallback, int low, int high);
  bool Bool(std::string_view key, bool fallback);
  Millis Duration(std::string_view key, Millis fallback, Millis low,
                  Millis high);  // "500ms", "10s", "5min", "1h"
  std::string OneOf(std::string_view key, std::string_view fallback,
                    const std::vector<std::string_view>& words);
  std::vector<std::string> Strings(std::string_view key);  // required, a non-empty list
  std::optional<std::vector<std::string>> OptionalStrings(std::string_view key);
  std::vector<std::pair<std::string, std::string>> Scalars();  // of this map: every key, as text
  std::optional<Map> OptionalChild(std::string_view key);
  Map Child(std::string_view key);                  // required
  std::vector<Map> Children(std::string_view key);  // required, a non-empty list of maps
  bool Has(std::string_view key) const;

  // "FILE:LINE: message" as kUsage, with `fix`. For checks of the caller's own on a value of `key`.
  Status ErrorAt(std::string_view key, const std::string& message, const std::string& fix = {}) const;
  void Fail(Status error);  // keeps the first

  // The first error of this map and its children, or the first unknown key.
  Status Finish();

 private:
  struct Shared;
  YAML::Node Take(std::string_view key, bool required);
  std::optional<std::string> TakeScalar(std::string_view key, bool required);
  Map Of(const YAML::Node& node) const;
  std::string MeantBy(std::string_view key) const;
  void RefuseDuplicates();
  std::shared_ptr<Shared> shared_;
  YAML::Node node_;
  std::vector<std::string> known_;
};

}  // namespace eos::yaml
