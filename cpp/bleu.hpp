// BLEU's sufficient statistics: for each segment
//     hypothesis length, reference length, matches of order 1..N, totals of order 1..N
// The matches are clipped to the largest count in any one reference (ngram_matches.hpp). Many systems are counted
// against the same references at once, so the references are tokenised and turned into masks once a segment.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "mapped_file.hpp"
#include "ngram_matches.hpp"
#include "segment_symbols.hpp"
#include "text.hpp"
#include "tokenizers.hpp"

namespace tertium {

enum class ReferenceLength { closest, shortest, average };

inline ReferenceLength reference_length_named(const std::string& name) {
    if (name == "closest") return ReferenceLength::closest;
    if (name == "shortest") return ReferenceLength::shortest;
    if (name == "average") return ReferenceLength::average;
    throw std::invalid_argument("unknown reference length " + name);
}

struct BleuOptions {
    Tokenizer tokenizer;
    bool lowercase = false;
    std::size_t order = 4;
    ReferenceLength length = ReferenceLength::closest;
};

// On a tie the shorter reference wins.
inline double reference_length(const std::vector<std::size_t>& lengths, std::size_t hypothesis, ReferenceLength rule) {
    if (lengths.empty()) return 0;
    double best = static_cast<double>(lengths[0]), sum = 0;
    for (const std::size_t length : lengths) {
        const double now = static_cast<double>(length), wanted = static_cast<double>(hypothesis);
        sum += now;
        if (rule == ReferenceLength::shortest) best = std::min(best, now);
        const double distance = std::abs(now - wanted), best_distance = std::abs(best - wanted);
        if (rule == ReferenceLength::closest && (distance < best_distance || (distance == best_distance && now < best)))
            best = now;
    }
    return rule == ReferenceLength::average ? sum / static_cast<double>(lengths.size()) : best;
}

// One thread's work: the rows of a segment for every system.
class BleuCounter {
  public:
    BleuCounter(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                const BleuOptions& options)
        : systems_(systems), options_(options), words_(references), matches_(options.order) {}

    // Writes the rows of segment i; `stride` is the distance between two systems' rows.
    void count(std::size_t i, double* row, std::size_t stride) {
        const auto cut = [&](const Corpus& corpus, std::size_t segment, Tokens& tokens) {
            tokens_of(corpus, segment, options_.tokenizer, options_.lowercase, tokens);
        };
        words_.read(i, cut);
        lengths_.clear();
        for (const auto& reference : words_.references()) lengths_.push_back(reference.size());
        matcher_.prepare(words_.references(), words_.symbols(), options_.order);
        for (const Corpus* system : systems_) {
            words_.read_hypothesis(*system, i, cut, hypothesis_);
            std::fill(matches_.begin(), matches_.end(), 0);
            if (!lengths_.empty()) matcher_.count(hypothesis_, options_.order, matches_.data());
            write(row);
            row += stride;
        }
    }

  private:
    void write(double* row) const {
        const std::size_t length = hypothesis_.size();
        row[0] = static_cast<double>(length);
        row[1] = reference_length(lengths_, length, options_.length);
        for (std::size_t n = 0; n < options_.order; ++n) {
            row[2 + n] = matches_[n];
            row[2 + options_.order + n] = length > n ? static_cast<double>(length - n) : 0.0;
        }
    }

    const std::vector<const Corpus*>& systems_;
    const BleuOptions& options_;
    SegmentSymbols words_;
    std::vector<std::size_t> lengths_;  // of the references that the segment has
    std::vector<Symbol> hypothesis_;
    std::vector<std::uint32_t> matches_;
    NgramMatcher matcher_;
};

// rows: (systems, segments, 2 + 2 order)
inline void bleu_statistics(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                            const BleuOptions& options, unsigned threads, double* rows) {
    check_orders(1, options.order);
    each_segment(systems, references, 2 + 2 * options.order, threads, rows,
                 [&] { return BleuCounter(systems, references, options); });
}

}  // namespace tertium
