#include "agent/properties/line_reader.h"

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

std::optional<LogicalLine> LineReader::Next() {
  LogicalLine line;
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
    if (line.text.empty() && (c == '#' || c == '!')) {
      SkipComment();
      skip_blanks = true;
      continue;
    }
    if (!IsLineEnd(c)) {
      if (line.text.empty()) {
        line.line = natural_line_;
        line.begin = natural_begin_;
      }
      line.text += c;
      line.at.push_back(offset_ - 1);
      backslash = c == '\\' && !backslash;
      continue;
    }
    // As Java: looked at before the second half of a "\r\n" is taken.
    const bool last_byte = offset_ == bytes_.size();
    EndOfLine(c);
    line.end = offset_;
    if (line.text.empty()) {
      skip_blanks = true;
      continue;
    }
    if (!backslash) return line;
    line.text.pop_back();
    line.at.pop_back();
    if (last_byte) {
      line.open = true;
      return line;
    }
    backslash = false;
    skip_blanks = true;
    continued = true;
  }
  if (line.text.empty()) return std::nullopt;
  line.end = bytes_.size();
  line.open = continued && natural_begin_ == bytes_.size();
  if (backslash) {
    line.text.pop_back();
    line.at.pop_back();
    line.open = true;
  }
  return line;
}

}  // namespace eos::properties
