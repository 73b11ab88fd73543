// Edit distance by bit vectors, one row of the matrix at a time (Myers 1999, as rewritten by Hyyro 2003).
//
// D[i][j] is the distance of the first i symbols of the hypothesis to the first j of the reference. Neighbours differ
// by at most one, so a row is two bit strings over j: `plus` where D[i][j] = D[i][j-1] + 1, `minus` where it is
// D[i][j-1] - 1. With the places where the next hypothesis symbol stands in the reference (`equal`), a row follows from
// the row above in a dozen operations for 64 cells, and a third bit string falls out of it:
//
//     diagonal, bit j = 1  where  D[i][j] = D[i-1][j-1]     (elsewhere it is one more)
//
// A shortest path is read from these bits, from the last cell backwards, without ever knowing a value.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "vocabulary.hpp"

namespace tertium {

struct Deltas {
    std::uint64_t plus = ~std::uint64_t{0}, minus = 0;  // row 0: D[0][j] = j
    bool operator==(const Deltas&) const = default;
};

// What row i is at the column before a word of bits, compared with row i-1: one more, one less, or the same.
struct Carry {
    std::uint64_t plus = 1, minus = 0;  // before the first column: D[i][0] = D[i-1][0] + 1
};

// 64 cells from row i-1 to row i; `carry` passes from word to word. Returns the diagonal bits.
inline std::uint64_t advance(Deltas& row, std::uint64_t equal, Carry& carry) {
    equal |= carry.minus;
    const std::uint64_t diagonal = (((equal & row.plus) + row.plus) ^ row.plus) | equal | row.minus;
    const std::uint64_t down_plus = row.minus | ~(diagonal | row.plus), down_minus = diagonal & row.plus;
    const std::uint64_t shifted_plus = down_plus << 1 | carry.plus, shifted_minus = down_minus << 1 | carry.minus;
    carry = {down_plus >> 63, down_minus >> 63};
    row.plus = shifted_minus | ~(diagonal | shifted_plus);
    row.minus = diagonal & shifted_plus;
    return diagonal;
}

// A row of one word.
inline std::uint64_t advance(Deltas& row, std::uint64_t equal) {
    Carry carry;
    return advance(row, equal, carry);
}

inline std::uint64_t low_bits(std::size_t count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

enum class Step : std::uint8_t { keep, substitute, remove, insert };

// The last step to cell (i, j), i, j > 0, of the shortest path that prefers keeping or substituting, then removing a
// hypothesis symbol, then inserting a reference symbol, as TER's search wants it. Given are whether the symbols are
// equal, the diagonal bit of row i and the minus bit of row i-1 at j. Equal symbols always lie on a shortest path.
// Otherwise D[i][j] = D[i-1][j-1] + 1 means that substituting is as good as any; and if not, D[i][j] = D[i-1][j-1]
// comes from above exactly if D[i-1][j] = D[i-1][j-1] - 1.
inline Step step_at(bool equal, bool diagonal, bool minus_above) {
    return equal ? Step::keep : !diagonal ? Step::substitute : minus_above ? Step::remove : Step::insert;
}

// Where each symbol stands in the reference: one bit a place, and a sorted list of places.
class Places {
  public:
    // Symbols are below `symbols`; any other one stands nowhere.
    void set(std::span<const Symbol> reference, std::size_t symbols) {
        reference_ = reference;
        symbols_ = symbols;
        first_.assign(symbols + 1, 0);
        for (const Symbol symbol : reference) ++first_[symbol];
        for (std::size_t s = 1; s <= symbols; ++s)
            first_[s] += first_[s - 1];  // the ends, which the next line turns into starts
        places_.resize(reference.size());
        for (std::size_t j = reference.size(); j-- > 0;)
            places_[--first_[reference[j]]] = static_cast<std::uint32_t>(j);
        words_ = reference.size() / 64 + 2;  // one more than needed, so that 64 bits can be read from any place
        masked_ = (symbols + 1) * words_ <= most_masked;
        if (!masked_) return;
        masks_.assign((symbols + 1) * words_, 0);
        for (std::size_t j = 0; j < reference.size(); ++j)
            masks_[reference[j] * words_ + j / 64] |= std::uint64_t{1} << (j % 64);
    }

    std::span<const Symbol> reference() const { return reference_; }
    std::size_t symbols() const { return symbols_; }

    // Sorted places of a symbol.
    std::span<const std::uint32_t> of(Symbol symbol) const {
        if (symbol >= symbols_) return {};
        return {places_.data() + first_[symbol], places_.data() + first_[symbol + 1]};
    }

    // Bits for the 64 places from `from` on.
    std::uint64_t window(Symbol symbol, std::size_t from) const {
        if (symbol >= symbols_) return 0;
        if (masked_) {
            const std::uint64_t* word = masks_.data() + symbol * words_ + from / 64;
            return word[0] >> (from % 64) | word[1] << 1 << (63 - from % 64);
        }
        std::uint64_t bits = 0;
        const auto places = of(symbol);
        for (auto at = std::lower_bound(places.begin(), places.end(), from); at != places.end() && *at < from + 64;
             ++at)
            bits |= std::uint64_t{1} << (*at - from);
        return bits;
    }

    // Bits of the first 64 places.
    std::uint64_t head(Symbol symbol) const {
        return masked_ && symbol < symbols_ ? masks_[symbol * words_] : window(symbol, 0);
    }

  private:
    static constexpr std::size_t most_masked = 1 << 17;  // words: a larger table would not stay in the cache

    std::span<const Symbol> reference_;
    std::size_t symbols_ = 0, words_ = 0;
    bool masked_ = true;
    std::vector<std::uint32_t> first_;  // where the places of each symbol begin, and the end
    std::vector<std::uint32_t> places_;
    std::vector<std::uint64_t> masks_;  // (symbol, word)
};

// The steps of one shortest path, counted.
struct EditCounts {
    std::size_t kept = 0, substituted = 0, removed = 0, inserted = 0;
    std::size_t edits() const { return substituted + removed + inserted; }
};

// Plain edit distance of texts of any length, with the counts of its steps.
//
// The counts are those of jiwer (that is, of rapidfuzz, for all but huge texts), which takes another path than TER:
// what the texts have in common at both ends is kept; in between, backwards, a reference symbol is inserted where
// D[i][j] = D[i][j-1] + 1, the plus bit of row i; else a hypothesis symbol is removed where D[i-1][j] = D[i-1][j-1] -
// 1, the minus bit of row i-1; else the symbols are kept or substituted. All three steps are on a shortest path there.
//
// These bits are kept for one block of rows at a time; the rows at the beginning of each block are kept too, from which
// the bits of earlier blocks are made again on the way back. So memory grows with the number of blocks plus the height
// of one, not with the whole matrix.
class Levenshtein {
  public:
    EditCounts count(std::span<const Symbol> hypothesis, const Places& places) {
        std::span<const Symbol> reference = places.reference();
        const auto ends = std::mismatch(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end());
        first_ = ends.first - hypothesis.begin();
        hypothesis_ = hypothesis.subspan(first_);
        reference = reference.subspan(first_);
        while (!hypothesis_.empty() && !reference.empty() && hypothesis_.back() == reference.back()) {
            hypothesis_ = hypothesis_.first(hypothesis_.size() - 1);
            reference = reference.first(reference.size() - 1);
        }
        words_ = (reference.size() + 63) / 64;
        pluses_.resize(std::min(hypothesis_.size(), height) * words_);
        minuses_above_.resize(pluses_.size());
        starts_.resize((hypothesis_.size() / height + 1) * words_);
        row_.assign(words_, {});
        for (std::size_t begin = 0; begin < hypothesis_.size(); begin += height) {
            std::copy(row_.begin(), row_.end(), starts_.begin() + begin / height * words_);
            run_block(places, begin);
        }
        EditCounts counts = steps_back(places, reference);
        counts.kept += hypothesis.size() - hypothesis_.size();
        return counts;
    }

  private:
    static constexpr std::size_t height = 1024;

    // Rows begin + 1 .. of the block, from the row `row_`, which moves on to the last of them.
    void run_block(const Places& places, std::size_t begin) {
        const std::size_t end = std::min(hypothesis_.size(), begin + height);
        std::size_t at = 0;
        for (std::size_t i = begin; i < end; ++i) {
            Carry carry;
            for (std::size_t w = 0; w < words_; ++w, ++at) {
                minuses_above_[at] = row_[w].minus;
                advance(row_[w], places.window(hypothesis_[i], first_ + 64 * w), carry);
                pluses_[at] = row_[w].plus;
            }
        }
    }

    EditCounts steps_back(const Places& places, std::span<const Symbol> reference) {
        EditCounts counts;
        std::size_t i = hypothesis_.size(), j = reference.size();
        std::size_t block = i == 0 ? 0 : (i - 1) / height * height;
        while (i > 0 && j > 0) {
            if (i <= block) {
                block -= height;
                const auto start = starts_.begin() + block / height * words_;
                row_.assign(start, start + words_);
                run_block(places, block);
            }
            const std::size_t at = (i - 1 - block) * words_ + (j - 1) / 64, bit = (j - 1) % 64;
            if (pluses_[at] >> bit & 1) {
                ++counts.inserted, --j;
            } else if (minuses_above_[at] >> bit & 1) {
                ++counts.removed, --i;
            } else {
                --i, --j;
                ++(hypothesis_[i] == reference[j] ? counts.kept : counts.substituted);
            }
        }
        counts.removed += i;
        counts.inserted += j;
        return counts;
    }

    std::span<const Symbol> hypothesis_;  // what stands between the common ends
    std::size_t first_ = 0, words_ = 0;   // where that begins in both texts; machine words of a row
    std::vector<Deltas> row_, starts_;
    std::vector<std::uint64_t> pluses_, minuses_above_;  // of the block at hand
};

}  // namespace tertium
