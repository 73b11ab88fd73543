// BLEU's sufficient statistics: for each segment
//     hypothesis length, reference length, matches of order 1..N, totals of order 1..N
// The matches are clipped to the largest count in any one reference (ngram_matches.hpp). Many systems are counted
// against the same references at once, so the references are tokenised and turned into masks once a segment.
#pragma once

#include <cmath>
#include <vector>

#include "mapped_file.hpp"
#include "ngram_matches.hpp"
#include "text.hpp"
#include "tokenizers.hpp"

namespace tertium {

enum class ReferenceLength { closest, shortest, average };

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
        : systems_(systems),
          references_(references),
          options_(options),
          reference_tokens_(references.size()),
          symbols_(references.size()),
          matches_(options.order) {}

    // Writes the rows of segment i; `stride` is the distance between two systems' rows.
    void count(std::size_t i, double* row, std::size_t stride) {
        read_references(i);
        for (const Corpus* system : systems_) {
            tokens_of(*system, i, options_.tokenizer, options_.lowercase, tokens_);
            hypothesis_.clear();
            for (const Span token : tokens_.tokens) hypothesis_.push_back(vocabulary_.find(token));
            std::fill(matches_.begin(), matches_.end(), 0);
            if (!lengths_.empty()) matcher_.count(hypothesis_, options_.order, matches_.data());
            write(row);
            row += stride;
        }
    }

  private:
    void read_references(std::size_t i) {
        lengths_.clear();
        std::size_t most = 0;
        for (const Corpus* reference : references_) {
            if (reference->missing(i)) continue;
            Tokens& tokens = reference_tokens_[lengths_.size()];
            tokens_of(*reference, i, options_.tokenizer, options_.lowercase, tokens);
            lengths_.push_back(tokens.tokens.size());
            most += tokens.tokens.size();
        }
        vocabulary_.reset(most);
        for (std::size_t r = 0; r < lengths_.size(); ++r) {
            symbols_[r].clear();
            for (const Span token : reference_tokens_[r].tokens) symbols_[r].push_back(vocabulary_.add(token));
        }
        matcher_.prepare({symbols_.data(), lengths_.size()}, vocabulary_.size(), options_.order);
    }

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
    const std::vector<const Corpus*>& references_;
    const BleuOptions& options_;
    Tokens tokens_;
    std::vector<Tokens> reference_tokens_;
    std::vector<std::vector<Symbol>> symbols_;  // of the references that the segment has
    std::vector<std::size_t> lengths_;          // of the same
    std::vector<Symbol> hypothesis_;
    std::vector<std::uint32_t> matches_;
    Vocabulary vocabulary_;
    NgramMatcher matcher_;
};

// rows: (systems, segments, 2 + 2 order)
inline void bleu_statistics(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                            const BleuOptions& options, unsigned threads, double* rows) {
    const std::size_t segments = systems.at(0)->size(), columns = 2 + 2 * options.order;
    each_block(systems, references, threads, [&] {
        return [&, counter = BleuCounter(systems, references, options)](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) counter.count(i, rows + i * columns, segments * columns);
        };
    });
}

}  // namespace tertium
