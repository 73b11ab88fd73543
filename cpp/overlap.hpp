// What a hypothesis has in common with each of its references, one at a time: for each system, segment and reference
//     parts of the hypothesis that match, parts of the reference that match, parts of the hypothesis, of the reference
// GLEU, ROUGE and the overlap metrics choose a reference by these numbers. What a part is, is the rule:
//   ngrams        n-grams of the orders shortest..longest, each matched at most as often as the other text has it
//   occurrences   tokens, matched if the other text has them at all, however often
//   anywhere      the same, but a token of the hypothesis matches if any reference has it
//   subsequence   tokens, matched if on the longest common subsequence
// A reference that is missing gives -1 four times.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "mapped_file.hpp"
#include "ngram_matches.hpp"
#include "segment_symbols.hpp"
#include "subsequence.hpp"
#include "text.hpp"
#include "tokenizers.hpp"

namespace tertium {

enum class OverlapRule { ngrams, occurrences, anywhere, subsequence };

inline OverlapRule overlap_rule_named(const std::string& name) {
    if (name == "ngrams") return OverlapRule::ngrams;
    if (name == "occurrences") return OverlapRule::occurrences;
    if (name == "anywhere") return OverlapRule::anywhere;
    if (name == "subsequence") return OverlapRule::subsequence;
    throw std::invalid_argument("unknown overlap rule " + name);
}

struct OverlapOptions {
    Tokenizer tokenizer;
    bool lowercase = false;
    OverlapRule rule = OverlapRule::ngrams;
    std::size_t shortest = 1, longest = 1;
};

class OverlapCounter {
  public:
    OverlapCounter(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                   const OverlapOptions& options)
        : systems_(systems),
          references_(references),
          options_(options),
          words_(references),
          hypotheses_(systems.size()),
          matches_(options.longest) {}

    // Writes the rows of segment i; `stride` is the distance between two systems' rows.
    void count(std::size_t i, double* rows, std::size_t stride) {
        const auto cut = [&](const Corpus& corpus, std::size_t segment, Tokens& tokens) {
            tokens_of(corpus, segment, options_.tokenizer, options_.lowercase, tokens);
        };
        words_.read(i, cut);
        for (std::size_t s = 0; s < systems_.size(); ++s) words_.read_hypothesis(*systems_[s], i, cut, hypotheses_[s]);
        std::size_t present = 0;
        for (std::size_t r = 0; r < references_.size(); ++r) {
            const bool missing = references_[r]->missing(i);
            if (!missing && options_.rule == OverlapRule::ngrams)
                matcher_.prepare(words_.references().subspan(present, 1), words_.symbols(), options_.longest);
            for (std::size_t s = 0; s < systems_.size(); ++s) {
                double* row = rows + s * stride + 4 * r;
                if (missing) std::fill(row, row + 4, -1.0);
                else compare(hypotheses_[s], words_.references()[present], row);
            }
            present += !missing;
        }
    }

  private:
    // N-grams of all wanted orders in a text of this length.
    double parts(std::size_t length) const {
        std::size_t sum = 0;
        for (std::size_t n = options_.shortest; n <= options_.longest && n <= length; ++n) sum += length - n + 1;
        return static_cast<double>(sum);
    }

    void compare(const std::vector<Symbol>& hypothesis, const std::vector<Symbol>& reference, double* row) {
        row[2] = static_cast<double>(hypothesis.size());
        row[3] = static_cast<double>(reference.size());
        if (options_.rule == OverlapRule::subsequence) {
            row[0] = row[1] = static_cast<double>(subsequence_.length(hypothesis, reference, words_.symbols()));
        } else if (options_.rule != OverlapRule::ngrams) {
            row[0] = options_.rule == OverlapRule::anywhere ? known(hypothesis) : occurrences(hypothesis, reference);
            row[1] = occurrences(reference, hypothesis);
        } else {
            std::fill(matches_.begin(), matches_.end(), 0);
            matcher_.count(hypothesis, options_.longest, matches_.data());
            std::size_t sum = 0;
            for (std::size_t n = options_.shortest; n <= options_.longest; ++n) sum += matches_[n - 1];
            row[0] = row[1] = static_cast<double>(sum);
            row[2] = parts(hypothesis.size());
            row[3] = parts(reference.size());
        }
    }

    // Symbols of one text that stand in the other.
    double occurrences(const std::vector<Symbol>& text, const std::vector<Symbol>& other) {
        present_.assign(words_.symbols(), false);
        for (const Symbol symbol : other)
            if (symbol != unknown) present_[symbol] = true;
        std::size_t sum = 0;
        for (const Symbol symbol : text) sum += symbol != unknown && present_[symbol];
        return static_cast<double>(sum);
    }

    // Symbols that the vocabulary has, which is made of all references.
    static double known(const std::vector<Symbol>& hypothesis) {
        return static_cast<double>(hypothesis.size() - std::count(hypothesis.begin(), hypothesis.end(), unknown));
    }

    const std::vector<const Corpus*>& systems_;
    const std::vector<const Corpus*>& references_;
    const OverlapOptions& options_;
    SegmentSymbols words_;
    std::vector<std::vector<Symbol>> hypotheses_;
    std::vector<std::uint32_t> matches_;
    std::vector<bool> present_;
    NgramMatcher matcher_;
    SubsequenceMatcher subsequence_;
};

// rows: (systems, segments, references, 4)
inline void overlap_statistics(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                               const OverlapOptions& options, unsigned threads, double* rows) {
    check_orders(options.shortest, options.longest);
    each_segment(systems, references, 4 * references.size(), threads, rows,
                 [&] { return OverlapCounter(systems, references, options); });
}

}  // namespace tertium
