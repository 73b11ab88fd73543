// Clipped n-gram matches of all orders at once, with bit vectors instead of counting tables.
//
// The references of a segment are laid side by side in one long bit string, one bit a symbol, each reference beginning
// at a machine word. `mask(s)` has a 1 wherever symbol s stands. For a hypothesis h and a start i let
//
//     A_1 = mask(h[i])        A_n = (A_{n-1} << 1) & mask(h[i+n-1])
//
// Then A_n holds the places (of the last symbol) where the n-gram h[i..i+n-1] occurs in the references:
//   - popcount(A_n) within one reference is the n-gram's count there; the largest over the references is what BLEU
//     clips to;
//   - the lowest set bit names the n-gram: equal n-grams have equal A_n, different ones cannot share a place. So "how
//     often have I seen this n-gram in the hypothesis" is an array indexed by that bit, and occurrence number k is a
//     match iff k <= the clipping count. Summed over i this is sum of min(count in hypothesis, largest count in a
//     reference);
//   - if A_n is empty, so are all longer ones: most starts stop early.
// No n-gram is ever hashed, stored or compared. The cost is (hypothesis length x orders reached x words of reference),
// so references of more than `most_words` machine words in all are counted in a hash table instead (ngram_table.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "ngram_table.hpp"
#include "vocabulary.hpp"

namespace tertium {

class NgramMatcher {
  public:
    static constexpr std::size_t most_words = 32;

    // References as symbols below `symbols`, n-grams up to `orders`. They are copied; the spans may die afterwards.
    void prepare(std::span<const std::vector<Symbol>> references, std::size_t symbols, std::size_t orders) {
        words_ = 0;
        starts_.clear();
        for (const auto& reference : references) {
            starts_.push_back(words_);
            words_ += std::max<std::size_t>(1, (reference.size() + 63) / 64);
        }
        starts_.push_back(words_);
        if (words_ > most_words) return table_.prepare(references, orders);
        masks_.assign(symbols * words_, 0);
        for (std::size_t r = 0; r < references.size(); ++r)
            for (std::size_t i = 0; i < references[r].size(); ++i)
                masks_[references[r][i] * words_ + starts_[r] + i / 64] |= std::uint64_t{1} << (i % 64);
    }

    // Adds to matches[n-1] the clipped matches of order n, 1 <= n <= orders (those prepared for).
    void count(std::span<const Symbol> hypothesis, std::size_t orders, std::uint32_t* matches) {
        if (words_ > most_words) return table_.count(hypothesis, orders, matches);
        used_.assign(orders * words_ * 64, 0);
        if (starts_.size() == 2) {  // one reference
            switch (words_) {
                case 1: return count_one<1>(hypothesis, orders, matches);
                case 2: return count_one<2>(hypothesis, orders, matches);
                case 3: return count_one<3>(hypothesis, orders, matches);
                case 4: return count_one<4>(hypothesis, orders, matches);
            }
        }
        count_many(hypothesis, orders, matches);
    }

  private:
    template <std::size_t W>
    void count_one(std::span<const Symbol> hypothesis, std::size_t orders, std::uint32_t* matches) {
        const std::size_t length = hypothesis.size();
        for (std::size_t i = 0; i < length; ++i) {
            std::uint64_t places[W];
            for (std::size_t w = 0; w < W; ++w) places[w] = ~std::uint64_t{0};
            const std::size_t most = std::min(orders, length - i);
            for (std::size_t n = 0; n < most; ++n) {
                const Symbol symbol = hypothesis[i + n];
                if (symbol == unknown) break;
                const std::uint64_t* mask = &masks_[symbol * W];
                std::uint64_t any = 0;
                for (std::size_t w = W; w-- > 0;) {
                    if (n) places[w] = places[w] << 1 | (w ? places[w - 1] >> 63 : 0);
                    places[w] &= mask[w];
                    any |= places[w];
                }
                if (!any) break;
                std::size_t first = 0;
                unsigned clip = 0;
                for (std::size_t w = W; w-- > 0;) {
                    if (places[w]) first = w * 64 + std::countr_zero(places[w]);
                    clip += std::popcount(places[w]);
                }
                matches[n] += ++used_[n * W * 64 + first] <= clip;
            }
        }
    }

    void count_many(std::span<const Symbol> hypothesis, std::size_t orders, std::uint32_t* matches) {
        const std::size_t length = hypothesis.size(), references = starts_.size() - 1;
        places_.resize(words_);
        for (std::size_t i = 0; i < length; ++i) {
            const std::size_t most = std::min(orders, length - i);
            for (std::size_t n = 0; n < most; ++n) {
                const Symbol symbol = hypothesis[i + n];
                if (symbol == unknown) break;
                const std::uint64_t* mask = &masks_[symbol * words_];
                std::size_t first = words_ * 64;
                unsigned clip = 0;
                for (std::size_t r = 0; r < references; ++r) {
                    unsigned count = 0;
                    std::uint64_t carry = 0;
                    for (std::size_t w = starts_[r]; w < starts_[r + 1]; ++w) {
                        const std::uint64_t shifted = n ? places_[w] << 1 | carry : ~std::uint64_t{0};
                        carry = places_[w] >> 63;
                        const std::uint64_t found = places_[w] = shifted & mask[w];
                        if (found && first == words_ * 64) first = w * 64 + std::countr_zero(found);
                        count += std::popcount(found);
                    }
                    clip = std::max(clip, count);
                }
                if (!clip) break;
                matches[n] += ++used_[n * words_ * 64 + first] <= clip;
            }
        }
    }

    NgramTable table_;
    std::size_t words_ = 0;
    std::vector<std::size_t> starts_;    // first machine word of each reference, and the end
    std::vector<std::uint64_t> masks_;   // (symbol, word)
    std::vector<std::uint64_t> places_;  // A_n
    std::vector<std::uint32_t> used_;    // (order, place): occurrences seen in the hypothesis
};

}  // namespace tertium
