// Edit distance within a beam, as TER's search sees it: sacreBLEU computes in row i (of n) only the columns
//
//     low(i) = max(0, d - w) <= j < high(i) = min(r + 1, d + w),     d = floor(i * (r / n)) in double precision
//
// of the r + 1, w = 25, or ceil(r / 2n + 25) if r / 2n > 25. Cells outside count as infinite. Both edges never move
// left, so inside the beam neighbouring cells still differ by at most one (take a path to one of them and leave it
// where it crosses the other's row or column: the way along that row or column stays in the beam), and the bit vectors
// of edit_distance.hpp can be used, in one of two ways; a plain loop over the cells remains for r > 50 n.
//
// 1. `whole`: the beam is ignored, one machine word holds the row (r <= 64). This is exact when the beam cannot bind:
//    a path of cost at most c has at most (c + r - n) / 2 insertions and (c - r + n) / 2 deletions, so on it
//        -(c - r + n) / 2 <= j - i <= (c + r - n) / 2,
//    while d - i lies between r - n and 0, or one lower where the product is rounded down below a whole number. Hence
//        -(c + |r - n|) / 2 <= j - d <= (c + |r - n|) / 2 + 1,
//    and if c + |r - n| <= 46 every path of cost <= c runs inside the beam (-25 <= j - d <= 24). With c = the unbounded
//    distance: the distance within the beam is the same, and so is every cell on a shortest path, hence the preferred
//    path. A moved hypothesis is only of interest if its distance is below c; its unbounded distance is never above the
//    one within the beam, and where it is below c the two are equal. So the check is needed once a hypothesis. r <= 24
//    never binds.
// 2. `window`: the word holds the columns b+1 .. b+64, b = max(0, low(i) - 1); the beam spans at most 50. Around it
//    stand invented cells that must never win or offer a path:
//    - right of the row above, cells grow by one (plus = 1). The cell right of the edge, used from below, costs 2 more
//      than the diagonal; further ones are used only diagonally, where equality is masked: not below the way along the
//      row.
//    - column b, left of the edge, grows by one a row; equality in column b + 1 is masked when b was outside the row
//      above already: then the diagonal is not below the way down.
//    The value of column b is carried along, since the window moves.
#pragma once

#include <cmath>

#include "edit_distance.hpp"

namespace tertium {

class BeamDistance {
  public:
    static constexpr std::size_t beam = 25;

    void set_reference(std::span<const Symbol> reference, std::size_t symbols) { places_.set(reference, symbols); }
    const Places& places() const { return places_; }

    // Takes a hypothesis (not empty; the reference neither) and returns its distance.
    std::uint32_t set_hypothesis(std::span<const Symbol> hypothesis) {
        words_.assign(hypothesis.begin(), hypothesis.end());
        const std::size_t n = words_.size(), r = places_.reference().size();
        rows_.resize(n + 1);
        rows_[0] = {};
        if (r <= 64) {
            kind_ = Kind::whole;
            equal_.resize(n);
            for (std::size_t i = 0; i < n; ++i) equal_[i] = places_.head(words_[i]);
            fill_whole(0);
            if (r <= beam - 1 || distance_ + (r > n ? r - n : n - r) <= 46) return distance_;
        }
        set_beam();
        kind_ = r <= 50 * n ? Kind::window : Kind::cells;
        if (kind_ == Kind::window) fill_window(0);
        else fill_cells(0);
        return distance_;
    }

    std::span<const Symbol> hypothesis() const { return words_; }
    std::uint32_t distance() const { return distance_; }

    // Whether the distance, and any lower one of these words in another order, is the same without the beam.
    bool beam_is_idle() const {
        const std::size_t n = words_.size(), r = places_.reference().size();
        return kind_ == Kind::whole || (kind_ == Kind::window && distance_ + (r > n ? r - n : n - r) <= 46);
    }

    // The distance if `length` words from `start` on were moved to begin at `target`. Where that is not below the
    // present distance, any value not below it.
    std::uint32_t if_moved(std::size_t start, std::size_t length, std::size_t target) {
        if (kind_ == Kind::whole) return whole_if_moved(start, length, target);
        if (kind_ == Kind::window) return window_if_moved(start, length, target);
        moved_ = words_;
        cells_copy_ = cells_;
        rotate(moved_, start, length, target);
        return cells_of(moved_, cells_copy_, std::min(start, target));
    }

    // Moves the words for good and returns the new distance.
    std::uint32_t move(std::size_t start, std::size_t length, std::size_t target) {
        rotate(words_, start, length, target);
        const std::size_t from = std::min(start, target);
        switch (kind_) {
            case Kind::whole:
                rotate(equal_, start, length, target);
                fill_whole(from);
                break;
            case Kind::window: fill_window(from); break;
            case Kind::cells: fill_cells(from); break;
        }
        return distance_;
    }

    // The preferred path from the last cell backwards: visit(step, i, j) where the step leads to cell (i, j).
    template <class Visit>
    void each_step_backwards(Visit visit) const {
        std::size_t i = words_.size(), j = places_.reference().size();
        while (i > 0 || j > 0) {
            const Step step = i == 0 ? Step::insert : j == 0 ? Step::remove : step_to(i, j);
            visit(step, i, j);
            i -= step != Step::insert;
            j -= step != Step::remove;
        }
    }

  private:
    enum class Kind { whole, window, cells };

    struct Row {
        Deltas deltas;
        std::uint64_t diagonal = 0;
        std::uint32_t base = 0;  // value of the column before the window
    };

    struct Window {
        std::uint32_t base = 0, shift = 0;  // the column before the window, and how far it has moved
        std::uint64_t equal_mask = 0,
                      keep = 0;  // cells with a diagonal neighbour inside the beam; cells inside the beam
    };

    template <class Item>
    static void rotate(std::vector<Item>& items, std::size_t start, std::size_t length, std::size_t target) {
        const auto at = items.begin();
        if (target < start) std::rotate(at + target, at + start, at + start + length);
        else std::rotate(at + start, at + start + length, at + target + length);
    }

    // Calls run(begin, end) for the pieces of the moved hypothesis up to where it is the old one again.
    template <class Run>
    static void each_piece(std::size_t start, std::size_t length, std::size_t target, Run run) {
        if (target < start) {
            run(start, start + length);
            run(target, start);
        } else {
            run(start + length, target + length);
            run(start, start + length);
        }
    }

    // ---- whole rows in one word

    std::uint32_t whole_value(const Deltas& row, std::size_t i) const {
        const std::uint64_t columns = low_bits(places_.reference().size());
        return static_cast<std::uint32_t>(i + std::popcount(row.plus & columns) - std::popcount(row.minus & columns));
    }

    void fill_whole(std::size_t from) {
        Deltas row = rows_[from].deltas;
        for (std::size_t i = from; i < words_.size(); ++i) {
            rows_[i + 1].diagonal = advance(row, equal_[i]);
            rows_[i + 1].deltas = row;
        }
        distance_ = whole_value(row, words_.size());
    }

    std::uint32_t whole_if_moved(std::size_t start, std::size_t length, std::size_t target) const {
        const std::size_t end = std::max(start, target) + length;
        Deltas row = rows_[std::min(start, target)].deltas;
        const auto run = [&](std::size_t begin, std::size_t stop) {
            for (std::size_t i = begin; i < stop; ++i) advance(row, equal_[i]);
        };
        each_piece(start, length, target, run);
        if (row == rows_[end].deltas) return distance_;
        run(end, words_.size());
        return whole_value(row, words_.size());
    }

    // ---- the beam

    void set_beam() {
        const std::size_t n = words_.size(), r = places_.reference().size();
        const double ratio = static_cast<double>(r) / static_cast<double>(n);
        const double width = beam < ratio / 2 ? std::ceil(ratio / 2 + beam) : beam;
        low_.resize(n + 1);
        high_.resize(n + 1);
        windows_.resize(n + 1);
        span_ = 2 * static_cast<std::size_t>(width) + 1;
        low_[0] = 0;
        high_[0] = r + 1;
        windows_[0] = {};
        for (std::size_t i = 1; i <= n; ++i) {
            const double middle = std::floor(static_cast<double>(i) * ratio);
            low_[i] = static_cast<std::size_t>(std::max(0.0, middle - width));
            high_[i] = std::min(r + 1, static_cast<std::size_t>(middle + width));
            if (i == n) high_[i] = r + 1;
            const std::size_t base = low_[i] == 0 ? 0 : low_[i] - 1;
            windows_[i].base = static_cast<std::uint32_t>(base);
            windows_[i].shift = static_cast<std::uint32_t>(base - windows_[i - 1].base);
            windows_[i].keep = low_bits(high_[i] - 1 - base);
            windows_[i].equal_mask =
                low_bits(high_[i - 1] - base) & ~low_bits(low_[i - 1] > base ? low_[i - 1] - base : 0);
        }
    }

    bool has_diagonal(std::size_t i, std::size_t j) const { return low_[i - 1] < j && j <= high_[i - 1]; }

    Step step_to(std::size_t i, std::size_t j) const {
        const bool equal = words_[i - 1] == places_.reference()[j - 1];
        if (kind_ == Kind::cells) return cell(cells_, i, j).step;
        if (kind_ == Kind::whole) {
            return step_at(equal, rows_[i].diagonal >> (j - 1) & 1, rows_[i - 1].deltas.minus >> (j - 1) & 1);
        }
        if (!has_diagonal(i, j)) return j <= low_[i - 1] ? Step::remove : Step::insert;
        const std::size_t above = j - 1 - windows_[i - 1].base;
        return step_at(equal, rows_[i].diagonal >> (j - 1 - windows_[i].base) & 1,
                       above < 64 && (rows_[i - 1].deltas.minus >> above & 1));
    }

    // ---- a window of the row in one word

    std::uint64_t advance_window(Deltas& row, std::uint32_t& base, Symbol symbol, std::size_t i) const {
        const Window& window = windows_[i];
        if (window.shift) {
            const std::uint64_t left = low_bits(window.shift);
            base += std::popcount(row.plus & left) - std::popcount(row.minus & left);
            row.plus = row.plus >> window.shift | ~(~std::uint64_t{0} >> window.shift);
            row.minus >>= window.shift;
        }
        const std::uint64_t diagonal = advance(row, places_.window(symbol, window.base) & window.equal_mask);
        row.plus |= ~window.keep;
        row.minus &= window.keep;
        ++base;
        return diagonal;
    }

    std::uint32_t window_value(const Deltas& row, std::uint32_t base) const {
        const std::uint64_t columns = low_bits(places_.reference().size() - windows_[words_.size()].base);
        return base +
               static_cast<std::uint32_t>(std::popcount(row.plus & columns) - std::popcount(row.minus & columns));
    }

    void fill_window(std::size_t from) {
        Deltas row = rows_[from].deltas;
        std::uint32_t base = rows_[from].base;
        for (std::size_t i = from + 1; i <= words_.size(); ++i) {
            rows_[i].diagonal = advance_window(row, base, words_[i - 1], i);
            rows_[i].deltas = row;
            rows_[i].base = base;
        }
        distance_ = window_value(row, base);
    }

    std::uint32_t window_if_moved(std::size_t start, std::size_t length, std::size_t target) const {
        const std::size_t end = std::max(start, target) + length;
        std::size_t at = std::min(start, target);
        Deltas row = rows_[at].deltas;
        std::uint32_t base = rows_[at].base;
        const auto run = [&](std::size_t begin, std::size_t stop) {
            for (std::size_t i = begin; i < stop; ++i) advance_window(row, base, words_[i], ++at);
        };
        each_piece(start, length, target, run);
        if (row == rows_[end].deltas) return distance_ + base - rows_[end].base;
        run(end, words_.size());
        return window_value(row, base);
    }

    // ---- one cell after the other; row i > 0 is stored from column low(i) on

    struct Cell {
        std::uint32_t value;
        Step step;
    };
    static constexpr Cell outside{0x40000000, Step::keep};

    Cell cell(const std::vector<Cell>& cells, std::size_t i, std::size_t j) const {
        if (i == 0) return {static_cast<std::uint32_t>(j), Step::insert};
        return j < low_[i] || j >= high_[i] ? outside : cells[(i - 1) * span_ + j - low_[i]];
    }

    // The distance of these words, whose rows up to `from` are those of `cells`.
    std::uint32_t cells_of(std::span<const Symbol> words, std::vector<Cell>& cells, std::size_t from) const {
        const std::span<const Symbol> reference = places_.reference();
        cells.resize(words.size() * span_);
        for (std::size_t i = from + 1; i <= words.size(); ++i) {
            Cell left = outside, diagonal = low_[i] > 0 ? cell(cells, i - 1, low_[i] - 1) : outside;
            for (std::size_t j = low_[i]; j < high_[i]; ++j) {
                const Cell above = cell(cells, i - 1, j);
                Cell best = outside;
                const auto offer = [&best](std::uint32_t value, Step step) {
                    if (value < best.value) best = {value, step};
                };
                const bool equal = j > 0 && words[i - 1] == reference[j - 1];
                offer(diagonal.value + !equal, equal ? Step::keep : Step::substitute);
                offer(above.value + 1, Step::remove);
                offer(left.value + 1, Step::insert);
                cells[(i - 1) * span_ + j - low_[i]] = left = best;
                diagonal = above;
            }
        }
        return cell(cells, words.size(), reference.size()).value;
    }

    void fill_cells(std::size_t from) { distance_ = cells_of(words_, cells_, from); }

    Places places_;
    Kind kind_ = Kind::whole;
    std::size_t span_ = 0;
    std::uint32_t distance_ = 0;
    std::vector<Symbol> words_, moved_;
    std::vector<std::uint64_t> equal_;  // of each word, where the row is one machine word
    std::vector<Row> rows_;
    std::vector<std::size_t> low_, high_;
    std::vector<Window> windows_;
    std::vector<Cell> cells_, cells_copy_;
};

}  // namespace tertium
