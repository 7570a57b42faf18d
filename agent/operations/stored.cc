#include "agent/operations/stored.h"

#include <spdlog/fmt/fmt.h>

#include "common/files/sha256.h"

namespace eos::operations {

using nlohmann::json;

namespace {

// nlohmann's objects are sorted by key: the same content gives the same text. Bytes that are no UTF-8 are
// replaced, the same way each time.
std::string Canonical(const json& content) {
  return content.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string Seal(std::string_view format, const json& content) {
  json sealed;
  sealed["format"] = format;
  sealed["content"] = content;
  sealed["digest"] = Sha256Hex(Canonical(content));
  return sealed.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

StatusOr<json> Unseal(std::string_view format, const std::string& bytes, const std::string& path) {
  const json sealed = json::parse(bytes, nullptr, /*allow_exceptions=*/false);
  if (!sealed.is_object()) return Damaged(path, "it is truncated or no JSON");
  const auto told = sealed.find("format");
  if (told == sealed.end() || *told != format)
    return Damaged(path, fmt::format("its format is not {}", format));
  const auto content = sealed.find("content");
  const auto digest = sealed.find("digest");
  if (content == sealed.end() || !content->is_object() || digest == sealed.end() ||
      *digest != Sha256Hex(Canonical(*content))) {
    return Damaged(path, "its digest does not fit: somebody altered it");
  }
  return *content;
}

Status Damaged(const std::string& path, std::string_view why) {
  return Err(Reason::kLedgerDamaged, fmt::format("reading the record \"{}\": {}", path, why),
             fmt::format("look at it, then move it away: mv \"{}\" \"{}.damaged\", and restart eos-agent",
                         path, path));
}

}  // namespace eos::operations
