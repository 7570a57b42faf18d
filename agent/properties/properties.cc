#include "agent/properties/properties.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "agent/properties/line_reader.h"

namespace eos::properties {
namespace {

constexpr size_t kMaxBytes = 4U << 20U;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }
bool IsSeparator(char c) { return c == '=' || c == ':'; }

// The key's length within the logical line, and where the value begins (Properties.load0).
struct Split {
  size_t key_length = 0;
  size_t value_begin = 0;
  bool separated = false;
};

Split SplitLine(std::string_view text) {
  Split split{0, text.size(), false};
  bool backslash = false;
  bool has_separator = false;
  for (; split.key_length < text.size(); ++split.key_length) {
    const char c = text[split.key_length];
    if (!backslash && (IsSeparator(c) || IsBlank(c))) {
      has_separator = IsSeparator(c);
      split.separated = true;
      split.value_begin = split.key_length + 1;
      break;
    }
    backslash = c == '\\' && !backslash;
  }
  for (; split.value_begin < text.size(); ++split.value_begin) {
    const char c = text[split.value_begin];
    if (IsBlank(c)) continue;
    if (has_separator || !IsSeparator(c)) break;
    has_separator = true;
  }
  return split;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void AppendUtf8(std::string& text, unsigned code) {
  if (code < 0x800) {
    text += static_cast<char>(0xC0U | (code >> 6U));
  } else {
    text += static_cast<char>(0xE0U | (code >> 12U));
    text += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
  }
  text += static_cast<char>(0x80U | (code & 0x3FU));
}

bool HasEscape(std::string_view raw) { return raw.find('\\') != std::string_view::npos; }

// Properties.loadConvert. Nothing for a malformed \u escape.
std::optional<std::string> Unescape(std::string_view raw) {
  if (!HasEscape(raw)) return std::string(raw);
  std::string text;
  text.reserve(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      text += raw[i];
      continue;
    }
    const char c = raw[++i];
    if (c != 'u') {
      text += c == 't' ? '\t' : c == 'r' ? '\r' : c == 'n' ? '\n' : c == 'f' ? '\f' : c;
      continue;
    }
    if (raw.size() - i <= 4) return std::nullopt;
    unsigned code = 0;
    for (size_t digit = 1; digit <= 4; ++digit) {
      const int value = HexDigit(raw[i + digit]);
      if (value < 0) return std::nullopt;
      code = code * 16 + static_cast<unsigned>(value);
    }
    i += 4;
    if (code <= 0xFF) {
      text += static_cast<char>(code);
    } else {
      AppendUtf8(text, code);
    }
  }
  return text;
}

Status Malformed(size_t line) {
  return Err(
      Reason::kFileUnparsable,
      fmt::format("line {}: malformed \\u escape; Kafka cannot load this file", line),
      fmt::format(
          "correct line {}: \\u is followed by four hexadecimal digits, a backslash itself is written \\\\",
          line));
}

}  // namespace

StatusOr<Document> Document::Parse(std::string bytes) {
  if (bytes.size() > kMaxBytes) {
    return Err(Reason::kFileUnparsable, fmt::format("the file is larger than {} bytes", kMaxBytes));
  }
  Document document;
  document.bytes_ = std::move(bytes);
  LineReader reader(document.bytes_);
  LogicalLine line;
  while (reader.Next(line)) {
    const std::string_view text = line.text();
    const Split split = SplitLine(text);
    const std::string_view value = text.substr(split.value_begin);
    auto key = Unescape(text.substr(0, split.key_length));
    if (!key || (HasEscape(value) && !Unescape(value))) return Malformed(line.line);
    Entry entry;
    entry.key = *std::move(key);
    entry.line = line.line;
    entry.begin = line.begin;
    entry.end = line.end;
    entry.separated = split.separated;
    const size_t behind = text.empty() ? line.begin : line.OffsetOf(text.size() - 1) + 1;
    entry.value_begin = value.empty() ? behind : line.OffsetOf(split.value_begin);
    entry.value_end = behind;
    document.entries_.push_back(std::move(entry));
    document.open_at_end_ = line.open;
  }
  return document;
}

const Entry* Document::Find(std::string_view key) const {
  const auto found =
      std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& e) { return e.key == key; });
  return found == entries_.rend() ? nullptr : &*found;
}

std::vector<size_t> Document::Shadowed(std::string_view key) const {
  std::vector<size_t> lines;
  for (const Entry& entry : entries_) {
    if (entry.key == key) lines.push_back(entry.line);
  }
  if (!lines.empty()) lines.pop_back();
  return lines;
}

std::string_view Document::RawValue(const Entry& entry) const {
  return std::string_view(bytes_).substr(entry.value_begin, entry.value_end - entry.value_begin);
}

std::string Document::Value(const Entry& entry) const {
  // The raw bytes may hold continuations: read them as a logical line of their own.
  LineReader reader(std::string_view(bytes_).substr(entry.begin, entry.end - entry.begin));
  LogicalLine line;
  if (!reader.Next(line)) return {};
  const std::string_view text = line.text();
  std::string value = Unescape(text.substr(SplitLine(text).value_begin)).value_or("");
  std::replace_if(
      value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) > 0x7E; }, '?');
  return value;
}

bool IsIndirect(std::string_view value) {
  for (size_t open = value.find("${"); open != std::string_view::npos; open = value.find("${", open + 2)) {
    const size_t close = value.find('}', open);
    if (close == std::string_view::npos) return false;
    if (value.substr(open, close - open).find(':') != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace eos::properties
