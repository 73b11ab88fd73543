// One segment's words as numbers: where every kernel that compares words begins.
//
// The references' words are numbered from 0 as they first stand there; a word of a hypothesis is the number it has
// there, or `unknown`. The numbers hold for this segment only, so the vocabulary stays as small as the segment.
#pragma once

#include <span>
#include <vector>

#include "text.hpp"
#include "vocabulary.hpp"

namespace tertium {

class SegmentSymbols {
  public:
    explicit SegmentSymbols(const std::vector<const Corpus*>& references)
        : corpora_(references), tokens_(references.size()), symbols_(references.size()) {}

    // Reads the references of segment i; `cut(corpus, i, tokens)` puts a segment's words into tokens.tokens.
    template <class Cut>
    void read(std::size_t i, Cut cut) {
        present_ = total_ = 0;
        for (const Corpus* corpus : corpora_) {
            if (corpus->missing(i)) continue;
            cut(*corpus, i, tokens_[present_]);
            total_ += tokens_[present_++].tokens.size();
        }
        vocabulary_.reset(total_);
        for (std::size_t r = 0; r < present_; ++r) {
            symbols_[r].clear();
            for (const Span token : tokens_[r].tokens) symbols_[r].push_back(vocabulary_.add(token));
        }
    }

    // The words of a hypothesis.
    template <class Cut>
    void read_hypothesis(const Corpus& system, std::size_t i, Cut cut, std::vector<Symbol>& out) {
        cut(system, i, hypothesis_);
        out.clear();
        for (const Span token : hypothesis_.tokens) out.push_back(vocabulary_.find(token));
    }

    // Those references that the segment has, in their order.
    std::span<const std::vector<Symbol>> references() const { return {symbols_.data(), present_}; }
    std::size_t words_of_references() const { return total_; }
    std::size_t symbols() const { return vocabulary_.size(); }

  private:
    const std::vector<const Corpus*>& corpora_;
    std::vector<Tokens> tokens_;
    std::vector<std::vector<Symbol>> symbols_;
    Tokens hypothesis_;
    std::size_t present_ = 0, total_ = 0;
    Vocabulary vocabulary_;
};

}  // namespace tertium
