// Aligned columns for people. Pure.
#pragma once

#include <string>
#include <vector>

namespace eos::report {

enum class Colour { kNone, kGood, kWarn, kBad, kDim, kBold };

struct Cell {
  std::string text;
  Colour colour = Colour::kNone;

  Cell() = default;
  Cell(std::string t, Colour c = Colour::kNone)
      : text(std::move(t)), colour(c) {}                                 // NOLINT: a cell is its text
  Cell(const char* t, Colour c = Colour::kNone) : text(t), colour(c) {}  // NOLINT
};

// `colour`: whether to write ANSI sequences at all.
std::string Paint(const std::string& text, Colour kind, bool colour);

// Columns (not bytes) that `text` takes on a terminal: UTF-8 code points, combining ones not counted.
size_t WidthOf(const std::string& text);

// Two spaces between columns, no trailing space, a newline behind each row.
std::string Table(const std::vector<std::string>& header, const std::vector<std::vector<Cell>>& rows,
                  bool colour);

}  // namespace eos::report
