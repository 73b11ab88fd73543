// The columns of a tab-separated file in memory: a cell ends at a tab or at the end of its line, nothing is quoted and
// nothing escaped. Cells stay spans of the file, so a column costs sixteen bytes a row.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "lines.hpp"

namespace tertium {

// Thrown where a line has another number of cells than it should; the place is a line (1-based).
struct WrongCells : std::runtime_error {
    WrongCells(std::size_t line, std::size_t cells)
        : std::runtime_error(std::to_string(line) + ":" + std::to_string(cells)) {}
};

// The wanted columns (0-based) of the lines after the first `skipped`; every line must have exactly `width` cells.
inline std::vector<std::vector<Span>> columns_of(Span text, const std::vector<std::size_t>& wanted, std::size_t width,
                                                 std::size_t skipped) {
    const std::vector<Span> lines = lines_of(text);
    std::vector<std::vector<Span>> columns(wanted.size());
    for (auto& column : columns) column.reserve(lines.size());
    std::vector<Span> cells(width);
    for (std::size_t i = skipped; i < lines.size(); ++i) {
        const Span line = lines[i];
        std::size_t count = 0;
        for (std::size_t at = 0; at <= line.size(); ++count) {
            const std::size_t end = std::min(line.find('\t', at), line.size());
            if (count < width) cells[count] = line.substr(at, end - at);
            at = end + 1;
        }
        if (count != width) throw WrongCells(i + 1, count);
        for (std::size_t j = 0; j < wanted.size(); ++j) columns[j].push_back(cells.at(wanted[j]));
    }
    return columns;
}

}  // namespace tertium
