// What a hypothesis has in common with each of its references, one at a time: for each system, segment and reference
//     parts of the hypothesis that match, parts of the reference that match, parts of the hypothesis, of the reference
// GLEU, ROUGE and the overlap metrics choose a reference by these numbers. What a part is, is the rule:
//   ngrams        n-grams of the orders shortest..longest, each matched at most as often as the other text has it
//   occurrences   tokens, matched if the other text has them at all, however often
//   anywhere      the same, but a token of the hypothesis matches if any reference has it
//   subsequence   tokens, matched if on the longest common subsequence
// A reference that is missing gives -1 four times.
#pragma once

#include <vector>

#include "mapped_file.hpp"
#include "ngram_matches.hpp"
#include "subsequence.hpp"
#include "text.hpp"
#include "tokenizers.hpp"

namespace tertium {

enum class OverlapRule { ngrams, occurrences, anywhere, subsequence };

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
          reference_tokens_(references.size()),
          reference_symbols_(references.size()),
          hypothesis_symbols_(systems.size()),
          matches_(options.longest) {}

    // Writes the rows of segment i; `stride` is the distance between two systems' rows.
    void count(std::size_t i, double* rows, std::size_t stride) {
        read(i);
        for (std::size_t r = 0; r < references_.size(); ++r) {
            const bool missing = references_[r]->missing(i);
            if (!missing && options_.rule == OverlapRule::ngrams)
                matcher_.prepare({&reference_symbols_[r], 1}, vocabulary_.size(), options_.longest);
            for (std::size_t s = 0; s < systems_.size(); ++s) {
                double* row = rows + s * stride + 4 * r;
                if (missing) std::fill(row, row + 4, -1.0);
                else compare(hypothesis_symbols_[s], reference_symbols_[r], row);
            }
        }
    }

  private:
    void read(std::size_t i) {
        std::size_t most = 0;
        for (std::size_t r = 0; r < references_.size(); ++r) {
            reference_tokens_[r].tokens.clear();
            if (!references_[r]->missing(i))
                tokens_of(*references_[r], i, options_.tokenizer, options_.lowercase, reference_tokens_[r]);
            most += reference_tokens_[r].tokens.size();
        }
        vocabulary_.reset(most);
        for (std::size_t r = 0; r < references_.size(); ++r) {
            reference_symbols_[r].clear();
            for (const Span token : reference_tokens_[r].tokens)
                reference_symbols_[r].push_back(vocabulary_.add(token));
        }
        for (std::size_t s = 0; s < systems_.size(); ++s) {
            tokens_of(*systems_[s], i, options_.tokenizer, options_.lowercase, tokens_);
            hypothesis_symbols_[s].clear();
            for (const Span token : tokens_.tokens) hypothesis_symbols_[s].push_back(vocabulary_.find(token));
        }
    }

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
            row[0] = row[1] = static_cast<double>(subsequence_.length(hypothesis, reference, vocabulary_.size()));
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
        present_.assign(vocabulary_.size(), false);
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
    Tokens tokens_;
    std::vector<Tokens> reference_tokens_;
    std::vector<std::vector<Symbol>> reference_symbols_, hypothesis_symbols_;
    std::vector<std::uint32_t> matches_;
    std::vector<bool> present_;
    Vocabulary vocabulary_;
    NgramMatcher matcher_;
    SubsequenceMatcher subsequence_;
};

// rows: (systems, segments, references, 4)
inline void overlap_statistics(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                               const OverlapOptions& options, unsigned threads, double* rows) {
    const std::size_t segments = systems.at(0)->size(), columns = 4 * references.size();
    each_block(systems, references, threads, [&] {
        return [&, counter = OverlapCounter(systems, references, options)](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) counter.count(i, rows + i * columns, segments * columns);
        };
    });
}

}  // namespace tertium
