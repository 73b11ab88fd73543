// Numbers for the occurrences of n-grams in the texts of a sentence, one order of n-grams after another.
//
// Each pair (n-gram, k) stands for "its k-th occurrence in a text": a text that has the n-gram c times has the
// occurrences 1..c. The clipped count of two texts, the sum of min(c, c') over n-grams, is then the size of the
// intersection of two sets, and whatever is known of a set's members need not know of counts (pairwise.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "key_table.hpp"

namespace tertium {

using SymbolTexts = std::vector<std::vector<Symbol>>;

// N-grams of order n + 1 in a text of so many symbols.
inline std::size_t ngrams_in(std::size_t length, std::size_t n) {
    return length > n ? length - n : 0;
}

class Occurrences {
  public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    explicit Occurrences(const SymbolTexts& texts) {
        starts_.push_back(0);
        for (const auto& text : texts) {
            symbols_.insert(symbols_.end(), text.begin(), text.end());
            starts_.push_back(symbols_.size());
        }
        if (symbols_.size() >= 0x7FFFFFFF) throw std::length_error("the texts of one sentence have over 2^31 symbols");
        ngrams_at_.assign(symbols_.size(), 0);
        numbers_.resize(symbols_.size());
    }

    // Goes to the next order: 1, 2, 3 ...
    void advance() {
        table_.clear();
        ngrams_.assign(1, {});
        following_.clear();
        const std::size_t before = order_++;
        for (std::size_t t = 0; t < texts(); ++t)
            for (std::size_t i = starts_[t]; i + before < starts_[t + 1]; ++i) {
                ngrams_at_[i] = table_.add(ngram_key(ngrams_at_[i], symbols_[i + before]));
                numbers_[i] = occurrence(ngrams_at_[i], t + 1);
            }
    }

    // The occurrences in a text, all different, below size().
    std::span<const std::uint32_t> of(std::size_t text) const {
        return {numbers_.data() + starts_[text], ngrams_in(starts_[text + 1] - starts_[text], order_ - 1)};
    }

    std::size_t size() const { return following_.size(); }
    std::size_t texts() const { return starts_.size() - 1; }

    // Calls take(first occurrence) for each n-gram.
    template <class Take>
    void each_first(Take take) const {
        for (std::size_t ngram = 1; ngram < ngrams_.size(); ++ngram) take(ngrams_[ngram].first);
    }

    // The occurrence of the same n-gram after this one, or `none`.
    std::uint32_t following(std::uint32_t occurrence) const { return following_[occurrence]; }

  private:
    struct Ngram {
        std::size_t text = 0;  // where it was met last, from 1
        std::uint32_t first = 0, latest = 0;
    };

    // An n-gram is met once more.
    std::uint32_t occurrence(std::uint32_t number, std::size_t text) {
        if (number == ngrams_.size()) ngrams_.push_back({0, create(), 0});
        Ngram& ngram = ngrams_[number];
        if (ngram.text != text) {
            ngram.text = text;
            return ngram.latest = ngram.first;
        }
        if (following_[ngram.latest] == none) {
            const std::uint32_t created = create();
            following_[ngram.latest] = created;
        }
        return ngram.latest = following_[ngram.latest];
    }

    std::uint32_t create() {
        following_.push_back(none);
        return static_cast<std::uint32_t>(following_.size() - 1);
    }

    std::size_t order_ = 0;
    std::vector<Symbol> symbols_;           // of all texts
    std::vector<std::size_t> starts_;       // of each text among them, and the end
    std::vector<std::uint32_t> ngrams_at_;  // the n-gram that begins at each symbol
    std::vector<std::uint32_t> numbers_;    // its occurrence
    KeyTable table_;
    std::vector<Ngram> ngrams_;             // from 1
    std::vector<std::uint32_t> following_;  // of each occurrence
};

}  // namespace tertium
