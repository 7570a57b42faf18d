#include "controller/report/text_table.h"

#include <algorithm>

namespace eos::report {

std::string Paint(const std::string& text, Colour kind, bool colour) {
  if (!colour || kind == Colour::kNone || text.empty()) return text;
  const char* code = kind == Colour::kGood   ? "32"
                     : kind == Colour::kWarn ? "33"
                     : kind == Colour::kBad  ? "31"
                     : kind == Colour::kDim  ? "2"
                                             : "1";
  return std::string("\x1b[") + code + "m" + text + "\x1b[0m";
}

size_t WidthOf(const std::string& text) {
  size_t width = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) == 0x80U) continue;
    const bool combining = byte == 0xCC || (byte == 0xCD && i + 1 < text.size() &&
                                            static_cast<unsigned char>(text[i + 1]) < 0xB0);
    if (!combining) ++width;
  }
  return width;
}

std::string Table(const std::vector<std::string>& header, const std::vector<std::vector<Cell>>& rows,
                  bool colour) {
  std::vector<size_t> widths;
  for (const std::string& title : header) widths.push_back(WidthOf(title));
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], WidthOf(row[i].text));
  }
  std::string out;
  const auto line = [&](const std::vector<Cell>& cells) {
    std::string text;
    for (size_t i = 0; i < cells.size(); ++i) {
      text += Paint(cells[i].text, cells[i].colour, colour);
      if (i + 1 < cells.size()) text += std::string(widths[i] - WidthOf(cells[i].text) + 2, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  std::vector<Cell> titles;
  for (const std::string& title : header) titles.emplace_back(title, Colour::kBold);
  line(titles);
  for (const auto& row : rows) line(row);
  return out;
}

}  // namespace eos::report
