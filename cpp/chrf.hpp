// chrF's sufficient statistics: for each order of character n-grams, then of word n-grams,
//     n-grams of the hypothesis, n-grams of the reference, clipped matches
// as sacreBLEU counts them: the hypothesis count is 0 where the reference has no n-gram of that order; white space is
// left out of the characters unless asked for; words have one punctuation mark split off (the last character, else the
// first). With several references the row is that of the first reference with the highest segment score, compared in
// the very order of floating-point operations of the formula, since ties decide which row is taken.
//
// Characters are code points. They are numbered per segment by a direct table for U+0000-07FF and a small hash table
// above.
#pragma once

#include <vector>

#include "lowercase.hpp"
#include "mapped_file.hpp"
#include "ngram_matches.hpp"
#include "text.hpp"

namespace tertium {

struct ChrfOptions {
    std::size_t characters = 6, words = 0;
    double beta = 2;
    bool lowercase = false, whitespace = false, eps_smoothing = false;
};

// Numbers for the distinct characters of a segment, like Vocabulary for words.
class CharacterNumbers {
  public:
    CharacterNumbers() : direct_(0x800), slots_(256) {}

    void reset(std::size_t most) {
        if (slots_.size() < 2 * most) {
            slots_.assign(std::bit_ceil(4 * most), {});
        }
        if (++generation_ == 0) {
            direct_.assign(direct_.size(), {});
            slots_.assign(slots_.size(), {});
            generation_ = 1;
        }
        size_ = 0;
    }

    std::size_t size() const { return size_; }

    Symbol add(char32_t character) {
        Slot& slot = find_slot(character);
        if (slot.generation != generation_) slot = {generation_, size_++, character};
        return slot.symbol;
    }

    Symbol find(char32_t character) {
        const Slot& slot = find_slot(character);
        return slot.generation == generation_ ? slot.symbol : unknown;
    }

  private:
    struct Slot {
        std::uint32_t generation = 0;
        Symbol symbol = 0;
        char32_t character = 0;
    };

    Slot& find_slot(char32_t character) {
        if (character < direct_.size()) return direct_[character];
        for (std::size_t i = (character * 0x9E3779B1u) >> 7;; ++i) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (slot.generation != generation_ || slot.character == character) return slot;
        }
    }

    std::vector<Slot> direct_, slots_;
    std::uint32_t generation_ = 0;
    Symbol size_ = 0;
};

// Calls take(code point) for every character, white space left out unless `whitespace`.
template <class Take>
void each_character(Span text, bool whitespace, Take take) {
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
        const auto first = static_cast<unsigned char>(*p);
        if (first < 0x80) {
            if (whitespace || byte_kinds[first] == ByteKind::ordinary) take(static_cast<char32_t>(first));
            ++p;
            continue;
        }
        if (whitespace || byte_kinds[first] == ByteKind::ordinary || !wide_space(p, end)) take(code_point(p));
        p += character_width(first);
    }
}

inline bool is_ascii_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// The words of chrF+: "(hi)" gives "(hi" and ")".
inline void split_words(Span text, std::vector<Span>& scratch, std::vector<Span>& words) {
    scratch.clear();
    words.clear();
    split(text, scratch);
    for (const Span word : scratch) {
        const bool single = word.size() == character_width(static_cast<unsigned char>(word[0]));
        if (!single && is_ascii_punctuation(word.back())) {
            words.push_back(word.substr(0, word.size() - 1));
            words.push_back(word.substr(word.size() - 1));
        } else if (!single && is_ascii_punctuation(word[0])) {
            words.push_back(word.substr(0, 1));
            words.push_back(word.substr(1));
        } else {
            words.push_back(word);
        }
    }
}

// The text of segment i, lower-cased if so wanted; tokens are joined by spaces. What had to be rewritten is in
// `joined`.
inline Span segment_text(const Corpus& corpus, std::size_t i, bool lowercase, std::string& joined) {
    joined.clear();
    if (!corpus.tokenised()) {
        if (!lowercase) return text_of(corpus, i, joined);
        std::string copy;
        append_lower(text_of(corpus, i, copy), joined);
        return joined;
    }
    for (std::size_t j = corpus.starts[i]; j < corpus.starts[i + 1]; ++j) {
        if (j != corpus.starts[i]) joined += ' ';
        if (lowercase) append_lower(corpus.pieces[j], joined);
        else joined += corpus.pieces[j];
    }
    return joined;
}

// The score of one row; the same operations in the same order as the readable twin.
inline double chrf_score(const double* row, const ChrfOptions& options) {
    constexpr double eps = 1e-16;
    const std::size_t orders = options.characters + options.words;
    const double factor = options.beta * options.beta;
    double score = 0, precisions = 0, recalls = 0;
    std::size_t effective = 0;
    for (std::size_t n = 0; n < orders; ++n) {
        const double hypothesis = row[3 * n], reference = row[3 * n + 1], matches = row[3 * n + 2];
        const double precision = hypothesis > 0 ? matches / hypothesis : eps;
        const double recall = reference > 0 ? matches / reference : eps;
        const double denominator = factor * precision + recall;
        score += denominator > 0 ? (1 + factor) * precision * recall / denominator : eps;
        if (hypothesis > 0 && reference > 0) {
            precisions += precision;
            recalls += recall;
            ++effective;
        }
    }
    if (options.eps_smoothing) return 100 * score / static_cast<double>(orders);
    if (!effective || precisions + recalls == 0) return 0;
    precisions /= static_cast<double>(effective);
    recalls /= static_cast<double>(effective);
    return 100 * ((1 + factor) * precisions * recalls / (factor * precisions + recalls));
}

// One reference of the segment at hand, ready to be matched with many hypotheses.
class ChrfReference {
  public:
    void prepare(Span text, const ChrfOptions& options) {
        numbers_.reset(text.size());
        characters_.clear();
        each_character(text, options.whitespace, [&](char32_t c) { characters_.push_back(numbers_.add(c)); });
        character_matcher_.prepare({&characters_, 1}, numbers_.size(), options.characters);
        if (!options.words) return;
        text_.assign(text);
        split_words(text_, scratch_, words_text_);
        vocabulary_.reset(words_text_.size());
        words_.clear();
        for (const Span word : words_text_) words_.push_back(vocabulary_.add(word));
        word_matcher_.prepare({&words_, 1}, vocabulary_.size(), options.words);
    }

    void statistics(Span hypothesis, const std::vector<Span>& hypothesis_words, const ChrfOptions& options,
                    double* row) {
        symbols_.clear();
        each_character(hypothesis, options.whitespace, [&](char32_t c) { symbols_.push_back(numbers_.find(c)); });
        fill(character_matcher_, characters_.size(), options.characters, row);
        if (!options.words) return;
        symbols_.clear();
        for (const Span word : hypothesis_words) symbols_.push_back(vocabulary_.find(word));
        fill(word_matcher_, words_.size(), options.words, row + 3 * options.characters);
    }

  private:
    void fill(NgramMatcher& matcher, std::size_t reference, std::size_t orders, double* row) {
        matches_.assign(orders, 0);
        matcher.count(symbols_, orders, matches_.data());
        for (std::size_t n = 0; n < orders; ++n) {
            const std::size_t in_reference = reference > n ? reference - n : 0;
            const std::size_t in_hypothesis = symbols_.size() > n ? symbols_.size() - n : 0;
            row[3 * n] = in_reference ? static_cast<double>(in_hypothesis) : 0.0;
            row[3 * n + 1] = static_cast<double>(in_reference);
            row[3 * n + 2] = matches_[n];
        }
    }

    CharacterNumbers numbers_;
    Vocabulary vocabulary_;
    NgramMatcher character_matcher_, word_matcher_;
    std::vector<Symbol> characters_, words_, symbols_;
    std::vector<Span> words_text_, scratch_;
    std::vector<std::uint32_t> matches_;
    std::string text_;
};

// One thread's work: the rows of a segment for every system.
class ChrfCounter {
  public:
    ChrfCounter(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                const ChrfOptions& options)
        : systems_(systems),
          references_(references),
          options_(options),
          prepared_(references.size()),
          candidate_(3 * (options.characters + options.words)) {}

    // Writes the rows of segment i; `stride` is the distance between two systems' rows.
    void count(std::size_t i, double* row, std::size_t stride) {
        present_ = 0;
        for (const Corpus* reference : references_) {
            if (reference->missing(i)) continue;
            prepared_[present_++].prepare(segment_text(*reference, i, options_.lowercase, text_), options_);
        }
        for (const Corpus* system : systems_) {
            choose(segment_text(*system, i, options_.lowercase, text_), row);
            row += stride;
        }
    }

  private:
    // The row of the first reference with the highest score; zeros where there is no reference.
    void choose(Span hypothesis, double* row) {
        if (options_.words) split_words(hypothesis, scratch_, words_);
        std::fill(row, row + candidate_.size(), 0.0);
        double best = -1;
        for (std::size_t r = 0; r < present_; ++r) {
            prepared_[r].statistics(hypothesis, words_, options_, candidate_.data());
            const double score = present_ > 1 ? chrf_score(candidate_.data(), options_) : 0;
            if (score <= best) continue;
            best = score;
            std::copy(candidate_.begin(), candidate_.end(), row);
        }
    }

    const std::vector<const Corpus*>& systems_;
    const std::vector<const Corpus*>& references_;
    const ChrfOptions& options_;
    std::vector<ChrfReference> prepared_;
    std::size_t present_ = 0;  // how many of them the segment has
    std::vector<double> candidate_;
    std::vector<Span> words_, scratch_;
    std::string text_;
};

// rows: (systems, segments, 3 (characters + words))
inline void chrf_statistics(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                            const ChrfOptions& options, unsigned threads, double* rows) {
    check_orders(1, options.characters + options.words);
    each_segment(systems, references, 3 * (options.characters + options.words), threads, rows,
                 [&] { return ChrfCounter(systems, references, options); });
}

}  // namespace tertium
