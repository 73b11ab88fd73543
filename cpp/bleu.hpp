// BLEU's sufficient statistics: for each segment
//     hypothesis length, reference length, matches of order 1..N, totals of order 1..N
// The matches are clipped to the largest count in any one reference (ngram_matches.hpp). Many systems are counted against
// the same references at once, so the references are tokenised and turned into masks once a segment.
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

// rows: (systems, segments, 2 + 2 order)
inline void bleu_statistics(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                            const BleuOptions& options, unsigned threads, double* rows) {
    const std::size_t segments = systems.at(0)->size(), columns = 2 + 2 * options.order;
    each_block(systems, references, threads, [&] {
        return [&, tokens = Tokens{}, reference_tokens = std::vector<Tokens>(references.size()), vocabulary = Vocabulary{},
                matcher = NgramMatcher{}, symbols = std::vector<std::vector<Symbol>>(references.size()),
                hypothesis = std::vector<Symbol>{}, lengths = std::vector<std::size_t>{},
                matches = std::vector<std::uint32_t>(options.order)](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                lengths.clear();
                std::size_t most = 0, present = 0;
                for (std::size_t r = 0; r < references.size(); ++r) {
                    if (references[r]->missing(i)) continue;
                    tokens_of(*references[r], i, options.tokenizer, options.lowercase, reference_tokens[present]);
                    lengths.push_back(reference_tokens[present].tokens.size());
                    most += lengths.back();
                    ++present;
                }
                vocabulary.reset(most);
                for (std::size_t r = 0; r < present; ++r) {
                    symbols[r].clear();
                    for (const Span token : reference_tokens[r].tokens) symbols[r].push_back(vocabulary.add(token));
                }
                matcher.prepare({symbols.data(), present}, vocabulary.size(), options.order);
                for (std::size_t s = 0; s < systems.size(); ++s) {
                    tokens_of(*systems[s], i, options.tokenizer, options.lowercase, tokens);
                    hypothesis.clear();
                    for (const Span token : tokens.tokens) hypothesis.push_back(vocabulary.find(token));
                    std::fill(matches.begin(), matches.end(), 0);
                    if (present) matcher.count(hypothesis, options.order, matches.data());
                    double* row = rows + (s * segments + i) * columns;
                    const std::size_t length = hypothesis.size();
                    row[0] = static_cast<double>(length);
                    row[1] = reference_length(lengths, length, options.length);
                    for (std::size_t n = 0; n < options.order; ++n) {
                        row[2 + n] = matches[n];
                        row[2 + options.order + n] = length > n ? static_cast<double>(length - n) : 0.0;
                    }
                }
            }
        };
    });
}

}  // namespace tertium
