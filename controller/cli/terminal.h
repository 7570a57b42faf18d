// What standard output is, and drawing on it.
#pragma once

#include <ostream>
#include <string>

namespace eos::cli {

struct Terminal {
  bool live = false;    // redrawing in place makes sense
  bool colour = false;  // NO_COLOR (no-color.org) and TERM=dumb are respected
};
Terminal LookAtTerminal(int fd);

// Draws pictures over each other.
class Screen {
 public:
  explicit Screen(std::ostream& out) : out_(out) {}
  void Draw(const std::string& picture);
  void Leave();  // the last picture stays

 private:
  std::ostream& out_;
  size_t lines_ = 0;
  std::string last_;
};

}  // namespace eos::cli
