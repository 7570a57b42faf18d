// Logical lines of a .properties file, cut exactly as OpenJDK's java.util.Properties.LineReader cuts them,
// quirks included. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eos::properties {

// One logical line: its characters without indentation, continuation backslashes and line ends, each with
// where it stands in the file.
struct LogicalLine {
  std::string text;
  std::vector<size_t> at;  // offset of each character of `text`
  size_t line = 0;         // number of the natural line of its first character, from 1
  size_t begin = 0;        // offset of that natural line
  size_t end = 0;          // offset behind the line end
  bool open = false;       // the file ended behind a continuation backslash
};

class LineReader {
 public:
  explicit LineReader(std::string_view bytes) : bytes_(bytes) {}

  std::optional<LogicalLine> Next();

 private:
  void SkipComment();
  void EndOfLine(char c);  // counts "\r\n" as one

  std::string_view bytes_;
  size_t offset_ = 0;
  size_t natural_line_ = 1;
  size_t natural_begin_ = 0;
};

}  // namespace eos::properties
