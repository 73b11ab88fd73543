// TER's sufficient statistics (Snover et al., 2006), edit for edit those of sacreBLEU's port of tercom:
//     edits of the nearest reference, average reference length
// edits = shifts + distance: blocks of words are moved, one at a time and each time the best, while that lowers the
// distance.
//
// The search. A candidate is a block h[s..s+l) = reference[q..q+l), l <= 10, |s - q| <= 50, that has an error of the
// present alignment on both sides and whose reference place is not aligned into the block itself. It is tried before
// the word after every word that reference[q-1..q+l) is aligned to. The best candidate has the largest gain, then the
// longest block, then the smallest s, then the smallest place. sacreBLEU goes on to compare the moved word lists, but
// candidates equal in block and place are equal lists, so that never decides. When 1,000 candidates of a segment have
// been tried the search stops and the last, unfinished round is dropped.
//
// What is not computed, and why the result is the same:
// - The distance cannot fall below `least` = max(lengths) - common words, whatever is moved. Let room = distance -
//   least. A round lowers the total by gain - 1, so nothing can be won with room <= 1, and with room = 2 only by a gain
//   of 2, after which nothing can: which candidate has it does not matter.
// - Candidates are counted before any is tried: a round that reaches the thousandth is not tried at all.
// - They are tried by falling length, then by s and place: a later one must have a larger gain. Moving l words past k
//   words (or k past l) is undone by at most 2 min(l, k) edits, so where the beam cannot bind no gain is larger; nor is
//   one larger than room: candidates that could not win are left out, and so are those that move nothing.
// - With several references, one whose `least` is not below the fewest edits so far is left out.
#pragma once

#include <array>

#include "beam_distance.hpp"
#include "mapped_file.hpp"
#include "segment_symbols.hpp"
#include "tercom.hpp"
#include "text.hpp"
#include "tokenizers.hpp"

namespace tertium {

class TerSearch {
  public:
    // The reference must outlive the search; its symbols are below `symbols`.
    void set_reference(std::span<const Symbol> reference, std::size_t symbols) {
        reference_ = reference;
        distances_.set_reference(reference, symbols);
        counts_.assign(symbols, 0);
        for (const Symbol symbol : reference) ++counts_[symbol];
    }

    // The edits that turn the hypothesis into the reference; where they are not below `enough`, any number not below
    // it.
    std::size_t edits(std::span<const Symbol> hypothesis, std::size_t enough) {
        if (reference_.empty() || hypothesis.empty()) return std::max(reference_.size(), hypothesis.size());
        const std::size_t least = std::max(reference_.size(), hypothesis.size()) - common_words(hypothesis);
        if (least >= enough) return least;
        std::size_t distance = distances_.set_hypothesis(hypothesis), shifts = 0, tried = 0;
        while (distance - least > 1) {
            align();
            tried += collect_candidates(most_candidates - tried);
            if (tried >= most_candidates) break;
            const std::size_t room = distance - least;
            const Candidate* best = best_candidate(room);
            if (!best) break;
            ++shifts;
            if (room == 2) return shifts + least;
            distance = distances_.move(best->start, best->length, best->target);
        }
        return shifts + distance;
    }

  private:
    static constexpr std::size_t longest_block = 10, farthest = 50, most_candidates = 1000;

    struct Candidate {
        std::uint32_t start, length, target;  // target: where the block begins afterwards
    };

    std::size_t common_words(std::span<const Symbol> hypothesis) {
        std::size_t common = 0;
        for (const Symbol symbol : hypothesis)
            if (symbol < counts_.size() && counts_[symbol]) {
                --counts_[symbol];
                ++common;
            }
        for (const Symbol symbol : reference_) counts_[symbol] = 0;
        for (const Symbol symbol : reference_) ++counts_[symbol];
        return common;
    }

    // place_[j]: the words of the hypothesis up to and including the one that reference word j - 1 is aligned to;
    // rank_[j]: how many different places there are before and at j; next_error_*: the first error at or after a word.
    void align() {
        const std::size_t n = distances_.hypothesis().size(), r = reference_.size();
        place_.resize(r + 1);
        rank_.resize(r + 1);
        hypothesis_error_.resize(n + 1);
        reference_error_.resize(r + 1);
        hypothesis_error_[n] = reference_error_[r] = static_cast<std::uint32_t>(-1) / 2;
        distances_.each_step_backwards([&](Step step, std::size_t i, std::size_t j) {
            if (step != Step::insert)
                hypothesis_error_[i - 1] =
                    step == Step::keep ? hypothesis_error_[i] : static_cast<std::uint32_t>(i - 1);
            if (step != Step::remove) {
                reference_error_[j - 1] = step == Step::keep ? reference_error_[j] : static_cast<std::uint32_t>(j - 1);
                place_[j] = static_cast<std::uint32_t>(i);
            }
        });
        place_[0] = rank_[0] = 0;
        for (std::size_t j = 1; j <= r; ++j) rank_[j] = rank_[j - 1] + (place_[j] != place_[j - 1]);
    }

    // Fills the candidates of each length and returns how many there are; gives up when there are `most`.
    std::size_t collect_candidates(std::size_t most) {
        for (auto& candidates : candidates_) candidates.clear();
        const std::span<const Symbol> words = distances_.hypothesis();
        const std::size_t n = words.size(), r = reference_.size();
        std::size_t count = 0;
        for (std::size_t start = 0; start < n; ++start) {
            const std::size_t to_error = hypothesis_error_[start] - start;
            if (to_error >= longest_block) continue;
            const auto places = distances_.places().of(words[start]);
            auto at = places.begin();
            if (start > farthest) at = std::lower_bound(at, places.end(), start - farthest);
            for (; at != places.end() && *at <= start + farthest; ++at) {
                const std::size_t q = *at;
                const std::size_t shortest = std::max(to_error, reference_error_[q] - q) + 1;
                std::size_t longest = std::min({longest_block, n - start, r - q});
                if (place_[q + 1] > start) longest = std::min(longest, place_[q + 1] - 1 - start);
                if (shortest > longest) continue;
                std::size_t length = 1;
                while (length < longest && words[start + length] == reference_[q + length]) ++length;
                for (std::size_t l = shortest; l <= length; ++l) {
                    count += rank_[q + l] - rank_[q] + 1;
                    if (count >= most) return count;
                    add_candidates(start, q, l, n);
                }
            }
        }
        return count;
    }

    void add_candidates(std::size_t start, std::size_t q, std::size_t length, std::size_t n) {
        auto& candidates = candidates_[length - 1];
        for (std::size_t j = q; j <= q + length; ++j) {
            const std::size_t place = place_[j];
            const std::size_t target = place < start            ? place
                                       : place > start + length ? place - length
                                                                : std::min(place, n - length);
            if (target == start) continue;
            const Candidate candidate{static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(length),
                                      static_cast<std::uint32_t>(target)};
            if (!candidates.empty() && candidates.back().start == start && candidates.back().target == target) continue;
            candidates.push_back(candidate);
        }
    }

    // The first of the candidates with the largest gain, or none.
    const Candidate* best_candidate(std::size_t room) {
        const Candidate* best = nullptr;
        const std::size_t distance = distances_.distance();
        const bool bounded = distances_.beam_is_idle();
        std::size_t gain = room == 2 ? 1 : 0;
        for (std::size_t length = longest_block; length > 0; --length) {
            if (bounded && 2 * length <= gain) break;
            for (const Candidate& candidate : candidates_[length - 1]) {
                const std::size_t passed = candidate.target < candidate.start ? candidate.start - candidate.target
                                                                              : candidate.target - candidate.start;
                if (bounded && 2 * passed <= gain) continue;
                const std::size_t now = distances_.if_moved(candidate.start, length, candidate.target);
                if (now + gain >= distance) continue;
                best = &candidate;
                gain = distance - now;
                if (gain == room) return best;
            }
        }
        return best;
    }

    std::span<const Symbol> reference_;
    BeamDistance distances_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint32_t> place_, rank_, hypothesis_error_, reference_error_;
    std::array<std::vector<Candidate>, longest_block> candidates_;
};

// The words of segment i. White space at its end goes first; text that came tokenised is lower-cased only.
inline void ter_words(const Corpus& corpus, std::size_t i, const TercomOptions& options, Tokens& out) {
    out.tokens.clear();
    if (!corpus.tokenised()) return tokenize_tercom(strip_right(text_of(corpus, i, out.copy)), options, out);
    out.tokens.assign(corpus.pieces.begin() + corpus.starts[i], corpus.pieces.begin() + corpus.starts[i + 1]);
    if (!options.case_sensitive) lower_tokens(out);
}

// The words of a reference. sacreBLEU runs its tokenizer over references twice, and the second time finds more when
// `normalized`: after the first, the "'s" of "it's," stands before a space.
inline void ter_reference_words(const Corpus& corpus, std::size_t i, TercomOptions options, Tokens& first,
                                Tokens& out) {
    if (corpus.tokenised() || !options.normalized) return ter_words(corpus, i, options, out);
    ter_words(corpus, i, options, first);
    first.joined.clear();
    for (const Span word : first.tokens) (first.joined += word) += ' ';
    options.case_sensitive = true;  // it is in lower case by now
    out.tokens.clear();
    out.joined.swap(first.joined);  // the words point into it
    tokenize_tercom(strip_right(out.joined), options, out);
}

// One thread's work: the rows of a segment for every system.
class TerCounter {
  public:
    TerCounter(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
               const TercomOptions& options)
        : systems_(systems),
          options_(options),
          words_(references),
          hypotheses_(systems.size()),
          fewest_(systems.size()) {}

    // Writes the rows of segment i; `stride` is the distance between two systems' rows.
    void count(std::size_t i, double* row, std::size_t stride) {
        words_.read(i, [&](const Corpus& corpus, std::size_t segment, Tokens& tokens) {
            ter_reference_words(corpus, segment, options_, first_, tokens);
        });
        const std::size_t present = words_.references().size();
        for (std::size_t s = 0; s < systems_.size(); ++s) {
            words_.read_hypothesis(
                *systems_[s], i,
                [&](const Corpus& corpus, std::size_t segment, Tokens& tokens) {
                    ter_words(corpus, segment, options_, tokens);
                },
                hypotheses_[s]);
            fewest_[s] = present ? static_cast<std::size_t>(-1) : hypotheses_[s].size();
        }
        for (const auto& reference : words_.references()) {
            search_.set_reference(reference, words_.symbols());
            for (std::size_t s = 0; s < systems_.size(); ++s)
                fewest_[s] = std::min(fewest_[s], search_.edits(hypotheses_[s], fewest_[s]));
        }
        const double words = static_cast<double>(words_.words_of_references());
        for (const std::size_t fewest : fewest_) {
            row[0] = static_cast<double>(fewest);
            row[1] = present ? words / static_cast<double>(present) : 0.0;
            row += stride;
        }
    }

  private:
    const std::vector<const Corpus*>& systems_;
    const TercomOptions& options_;
    SegmentSymbols words_;
    Tokens first_;
    TerSearch search_;
    std::vector<std::vector<Symbol>> hypotheses_;
    std::vector<std::size_t> fewest_;
};

// rows: (systems, segments, 2). A segment without any reference has reference length 0, as if it had an empty one.
inline void ter_statistics(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                           const TercomOptions& options, unsigned threads, double* rows) {
    each_segment(systems, references, 2, threads, rows, [&] { return TerCounter(systems, references, options); });
}

}  // namespace tertium
