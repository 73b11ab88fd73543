// Clipped n-gram matches of every candidate of a sentence with every reference: what minimum Bayes risk decoding asks.
//
// Candidates and references are samples of one distribution and share most of their n-grams. With their occurrences
// numbered (occurrences.hpp) each text is a set of numbers, a set is a string of bits, and
//
//     matches(candidate, reference) = popcount(bits(candidate) & bits(reference))
//
// N-grams are hashed once a text instead of once a pair, and a pair costs a few dozen machine words.
//
// An occurrence that few texts have would be a zero bit in all the others. Such a one is kept as the list of the
// references that have it: each candidate that has it, too, adds one to each of them. An occurrence that a share s of
// the N M pairs have in common costs s N M additions as a list and N M / 64 words as a bit; an addition takes about as
// long as two words, so it is a bit where 128 s >= 1. That also keeps the memory linear in the text: there are at most
// 128 bits for each match of a pair. An occurrence that only candidates or only references have is dropped.
//
// References may also be aggregated: the counts of each n-gram are averaged over them, and every candidate is matched
// with the mean m, sum of min(c, m) over n-grams. The k-th occurrence of an n-gram is then worth what k adds to that,
// min(k, m) - min(k - 1, m), and a candidate's matches are the worth of its occurrences.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "occurrences.hpp"

namespace tertium {

// Which texts are candidates, the first ones, and which references, those from `first` on. A text may be both.
struct Sides {
    std::size_t candidates, first, references;
};

// The matches of one order, counted pair by pair.
class PairwiseOrder {
  public:
    PairwiseOrder(const Occurrences& occurrences, const Sides& sides) : references_(sides.references) {
        const std::vector<std::uint32_t> places = places_of(occurrences, sides);
        bits_.assign(occurrences.texts() * words_, 0);
        reference_bits_ = sides.first * words_;
        members_.resize(member_starts_.back());
        auto filled = member_starts_;
        list_starts_.push_back(0);
        for (std::size_t t = 0; t < occurrences.texts(); ++t) {
            const bool candidate = t < sides.candidates, reference = t >= sides.first;
            for (const std::uint32_t occurrence : occurrences.of(t)) {
                const std::uint32_t place = places[occurrence], list = place & ~is_list;
                if (place == Occurrences::none) continue;
                if (place == list) {
                    bits_[t * words_ + place / 64] |= std::uint64_t{1} << place % 64;
                    continue;
                }
                if (candidate) lists_.push_back(list);
                if (reference) members_[filled[list]++] = static_cast<std::uint32_t>(t - sides.first);
            }
            if (candidate) list_starts_.push_back(lists_.size());
        }
    }

    // Writes the matches of a candidate with each reference.
    void count(std::size_t candidate, std::uint32_t* matches) const {
        const std::uint64_t* const mine = bits_.data() + candidate * words_;
        const std::uint64_t* theirs = bits_.data() + reference_bits_;
        for (std::size_t r = 0; r < references_; ++r, theirs += words_) {
            std::uint64_t sum = 0;
            for (std::size_t w = 0; w < words_; ++w) sum += std::popcount(mine[w] & theirs[w]);
            matches[r] = static_cast<std::uint32_t>(sum);
        }
        for (std::size_t i = list_starts_[candidate]; i < list_starts_[candidate + 1]; ++i)
            for (std::size_t m = member_starts_[lists_[i]]; m < member_starts_[lists_[i] + 1]; ++m)
                ++matches[members_[m]];
    }

  private:
    static constexpr std::uint32_t is_list = 0x80000000;
    static constexpr std::uint64_t pairs_a_bit = 128;

    // The bit or the list of each occurrence, or `none`.
    std::vector<std::uint32_t> places_of(const Occurrences& occurrences, const Sides& sides) {
        std::vector<std::uint32_t> in_candidates(occurrences.size()), in_references(occurrences.size());
        for (std::size_t t = 0; t < sides.candidates; ++t)
            for (const std::uint32_t occurrence : occurrences.of(t)) ++in_candidates[occurrence];
        for (std::size_t t = sides.first; t < occurrences.texts(); ++t)
            for (const std::uint32_t occurrence : occurrences.of(t)) ++in_references[occurrence];
        std::vector<std::uint32_t> places(occurrences.size(), Occurrences::none);
        member_starts_.push_back(0);
        std::uint32_t bits = 0;
        for (std::size_t o = 0; o < places.size(); ++o) {
            const std::uint64_t pairs = std::uint64_t{in_candidates[o]} * in_references[o];
            if (!pairs) continue;
            if (pairs_a_bit * pairs >= sides.candidates * sides.references) {
                places[o] = bits++;
            } else {
                places[o] = static_cast<std::uint32_t>(member_starts_.size() - 1) | is_list;
                member_starts_.push_back(member_starts_.back() + in_references[o]);
            }
        }
        words_ = (bits + 63) / 64;
        return places;
    }

    std::size_t references_, words_ = 0, reference_bits_ = 0;
    std::vector<std::uint64_t> bits_;         // (text, word)
    std::vector<std::size_t> member_starts_;  // of each list among the members, and the end
    std::vector<std::uint32_t> members_;      // references
    std::vector<std::size_t> list_starts_;    // of each candidate among its lists, and the end
    std::vector<std::uint32_t> lists_;
};

// The matches of all orders.
class PairwiseMatcher {
  public:
    PairwiseMatcher(const SymbolTexts& texts, const Sides& sides, std::size_t orders) : references_(sides.references) {
        Occurrences occurrences(texts);
        for (std::size_t n = 0; n < orders; ++n) {
            occurrences.advance();
            orders_.emplace_back(occurrences, sides);
        }
    }

    // Writes the matches of a candidate, (orders, references).
    void count(std::size_t candidate, std::vector<std::uint32_t>& matches) const {
        matches.resize(orders_.size() * references_);
        for (std::size_t n = 0; n < orders_.size(); ++n) orders_[n].count(candidate, matches.data() + n * references_);
    }

  private:
    std::size_t references_;
    std::vector<PairwiseOrder> orders_;
};

// What each occurrence is worth against the mean of the references under weights that sum to one.
inline std::vector<double> worths(const Occurrences& occurrences, const Sides& sides, std::span<const double> weights) {
    std::vector<double> worths(occurrences.size());
    for (std::size_t r = 0; r < sides.references; ++r)
        for (const std::uint32_t occurrence : occurrences.of(sides.first + r)) worths[occurrence] += weights[r];
    occurrences.each_first([&](std::uint32_t first) {
        double mean = 0;
        for (std::uint32_t o = first; o != Occurrences::none; o = occurrences.following(o)) mean += worths[o];
        for (std::uint32_t o = first; o != Occurrences::none; o = occurrences.following(o)) {
            worths[o] = std::min(1.0, mean);
            mean -= worths[o];
        }
    });
    return worths;
}

// The matches (candidates, orders) with the mean of the references.
inline std::vector<double> aggregated_matches(const SymbolTexts& texts, const Sides& sides,
                                              std::span<const double> weights, std::size_t orders) {
    std::vector<double> matches(sides.candidates * orders);
    Occurrences occurrences(texts);
    for (std::size_t n = 0; n < orders; ++n) {
        occurrences.advance();
        const std::vector<double> worth = worths(occurrences, sides, weights);
        for (std::size_t c = 0; c < sides.candidates; ++c)
            for (const std::uint32_t occurrence : occurrences.of(c)) matches[c * orders + n] += worth[occurrence];
    }
    return matches;
}

}  // namespace tertium
