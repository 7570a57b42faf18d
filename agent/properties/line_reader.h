// Logical lines of a .properties file, cut exactly as OpenJDK's java.util.Properties.LineReader cuts them,
// quirks included. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace eos::properties {

// One logical line: its characters without indentation, continuation backslashes and line ends.
class LogicalLine {
 public:
  std::string_view text() const { return joined_.empty() ? direct_ : joined_; }
  // Where in the file the i-th character of text() stands.
  size_t OffsetOf(size_t i) const { return joined_.empty() ? direct_at_ + i : at_[i]; }

  size_t line = 0;    // number of the natural line of its first character, from 1
  size_t begin = 0;   // offset of that natural line
  size_t end = 0;     // offset behind the line end
  bool open = false;  // the file ended behind a continuation backslash

 private:
  friend class LineReader;
  std::string_view direct_;  // nearly all lines: a part of the file as it is
  size_t direct_at_ = 0;
  std::string joined_;  // a line with a backslash, with the place of each of its characters
  std::vector<size_t> at_;
};

class LineReader {
 public:
  explicit LineReader(std::string_view bytes) : bytes_(bytes) {}

  // False: there is no further one. `line` is used again, so that a file costs few allocations.
  bool Next(LogicalLine& line);

 private:
  bool TakeDirect(LogicalLine& line);
  bool Join(LogicalLine& line);
  void SkipComment();
  void EndOfLine(char c);  // counts "\r\n" as one

  std::string_view bytes_;
  size_t offset_ = 0;
  size_t natural_line_ = 1;
  size_t natural_begin_ = 0;
};

}  // namespace eos::properties
