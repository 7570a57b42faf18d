#include "controller/cli/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace eos::cli {

Terminal LookAtTerminal(int fd) {
  const char* term = std::getenv("TERM");
  const bool capable = isatty(fd) == 1 && term && *term && std::string_view(term) != "dumb";
  const char* no_color = std::getenv("NO_COLOR");
  return {capable, capable && !(no_color && *no_color)};
}

void Screen::Draw(const std::string& picture) {
  if (picture == last_) return;
  std::string text = "\x1b[?7l";  // a line that is too long is cut, not wrapped: lines are counted below
  if (lines_ > 0) text += "\x1b[" + std::to_string(lines_) + "A";  // up to where the last one began
  for (size_t begin = 0; begin < picture.size();) {
    const size_t end = std::min(picture.find('\n', begin), picture.size());
    text += "\r\x1b[2K" + picture.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  text += "\x1b[J\x1b[?7h";  // what was below the shorter new one goes
  lines_ = static_cast<size_t>(std::count(picture.begin(), picture.end(), '\n'));
  last_ = picture;
  out_ << text << std::flush;
}

void Screen::Leave() {
  lines_ = 0;
  last_.clear();
}

}  // namespace eos::cli
