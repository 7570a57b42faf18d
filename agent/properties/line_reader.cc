#include "agent/properties/line_reader.h"

#include <algorithm>

namespace eos::properties {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }
bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

}  // namespace

// Called with offset_ behind `c`.
void LineReader::EndOfLine(char c) {
  if (c == '\r' && offset_ < bytes_.size() && bytes_[offset_] == '\n') ++offset_;
  ++natural_line_;
  natural_begin_ = offset_;
}

void LineReader::SkipComment() {
  while (offset_ < bytes_.size()) {
    const char c = bytes_[offset_++];
    if (IsLineEnd(c)) {
      EndOfLine(c);
      return;
    }
  }
}

bool LineReader::Next(LogicalLine& line) {
  line.joined_.clear();
  line.at_.clear();
  line.direct_ = {};
  line.open = false;
  while (offset_ < bytes_.size()) {
    const char c = bytes_[offset_];
    if (IsBlank(c)) {
      ++offset_;
    } else if (IsLineEnd(c)) {
      ++offset_;
      EndOfLine(c);
    } else if (c == '#' || c == '!') {
      SkipComment();
    } else {
      return TakeDirect(line) || Join(line);
    }
  }
  return false;
}

// A natural line without any backslash is a logical one as it stands.
bool LineReader::TakeDirect(LogicalLine& line) {
  const std::string_view rest = bytes_.substr(offset_);
  const std::string_view natural = rest.substr(0, std::min(rest.find('\n'), rest.size()));
  const size_t length = std::min(natural.find('\r'), natural.size());
  if (natural.substr(0, length).find('\\') != std::string_view::npos) return false;
  line.direct_ = natural.substr(0, length);
  line.direct_at_ = offset_;
  line.line = natural_line_;
  line.begin = natural_begin_;
  offset_ += length;
  if (offset_ < bytes_.size()) {
    const char c = bytes_[offset_++];
    EndOfLine(c);
  }
  line.end = offset_;
  return true;
}

// Character by character, as Java does it.
bool LineReader::Join(LogicalLine& line) {
  bool skip_blanks = true;
  bool continued = false;  // at the begin of a line that continues another one
  bool backslash = false;  // an odd number of them stands right before
  while (offset_ < bytes_.size()) {
    const char c = bytes_[offset_++];
    if (skip_blanks) {
      if (IsBlank(c)) continue;
      if (!continued && IsLineEnd(c)) {
        EndOfLine(c);
        continue;
      }
      skip_blanks = false;
      continued = false;
    }
    // Java looks for a comment wherever the logical line has no character yet, so also behind a lone
    // backslash.
    if (line.joined_.empty() && (c == '#' || c == '!')) {
      SkipComment();
      skip_blanks = true;
      continue;
    }
    if (!IsLineEnd(c)) {
      if (line.joined_.empty()) {
        line.line = natural_line_;
        line.begin = natural_begin_;
      }
      line.joined_ += c;
      line.at_.push_back(offset_ - 1);
      backslash = c == '\\' && !backslash;
      continue;
    }
    // As Java: looked at before the second half of a "\r\n" is taken.
    const bool last_byte = offset_ == bytes_.size();
    EndOfLine(c);
    line.end = offset_;
    if (line.joined_.empty()) {
      skip_blanks = true;
      continue;
    }
    if (!backslash) return true;
    line.joined_.pop_back();
    line.at_.pop_back();
    if (last_byte) {
      line.open = true;
      return true;
    }
    backslash = false;
    skip_blanks = true;
    continued = true;
  }
  if (line.joined_.empty()) return false;
  line.end = bytes_.size();
  line.open = continued && natural_begin_ == bytes_.size();
  if (backslash) {
    line.joined_.pop_back();
    line.at_.pop_back();
    line.open = true;
  }
  return true;
}

}  // namespace eos::properties
