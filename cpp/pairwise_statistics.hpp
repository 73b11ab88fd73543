// chrF and BLEU of every candidate of a sentence with every reference, or with the mean of the references: the columns
// of chrf.hpp and bleu.hpp for one reference, with the matches of pairwise.hpp.
//
// BLEU gives the rows. chrF's would be 18 numbers a pair, and writing them to memory and reading them takes longer than
// all else; its formula is in the core anyway (it chooses among references), so a row is scored where it is made.
//
// Passing one corpus as both sides is the usual case (the candidates stand for the references) and is counted once.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bleu.hpp"
#include "chrf.hpp"
#include "mapped_file.hpp"
#include "pairwise.hpp"
#include "parallel.hpp"

namespace tertium {

// The texts of both sides: the candidates, then the references unless they are the same.
class BothSides {
  public:
    BothSides(const Corpus& candidates, const Corpus& references)
        : candidates_(candidates), references_(references), same_(&candidates == &references) {}

    Sides sides() const { return {candidates_.size(), same_ ? 0 : candidates_.size(), references_.size()}; }
    std::size_t texts() const { return candidates_.size() + (same_ ? 0 : references_.size()); }

    // Calls read(corpus, segment, text) for each text.
    template <class Read>
    void each(Read read) const {
        for (std::size_t t = 0; t < texts(); ++t) {
            const bool candidate = t < candidates_.size();
            read(candidate ? candidates_ : references_, candidate ? t : t - candidates_.size(), t);
        }
        for (const Corpus* corpus : {&candidates_, &references_})
            if (corpus->map) corpus->map->check_unchanged();
    }

  private:
    const Corpus& candidates_;
    const Corpus& references_;
    bool same_;
};

// Words as numbers. The words point into memory that outlives the call.
inline SymbolTexts numbered(const std::vector<std::vector<Span>>& texts) {
    std::size_t words = 0;
    for (const auto& text : texts) words += text.size();
    Vocabulary vocabulary;
    vocabulary.reset(words);
    SymbolTexts symbols(texts.size());
    for (std::size_t t = 0; t < texts.size(); ++t)
        for (const Span word : texts[t]) symbols[t].push_back(vocabulary.add(word));
    return symbols;
}

inline SymbolTexts bleu_words(const BothSides& both, const BleuOptions& options) {
    std::vector<Tokens> tokens(both.texts());
    std::vector<std::vector<Span>> words(both.texts());
    both.each([&](const Corpus& corpus, std::size_t segment, std::size_t text) {
        tokens_of(corpus, segment, options.tokenizer, options.lowercase, tokens[text]);
        words[text] = tokens[text].tokens;
    });
    return numbered(words);
}

// What chrF counts n-grams of.
struct ChrfTexts {
    SymbolTexts characters, words;
};

inline ChrfTexts chrf_texts(const BothSides& both, const ChrfOptions& options) {
    std::vector<std::string> texts(both.texts());
    std::string joined;
    std::size_t beyond = 0;  // characters that are not numbered by the direct table
    both.each([&](const Corpus& corpus, std::size_t segment, std::size_t text) {
        texts[text] = segment_text(corpus, segment, options.lowercase, joined);
        for (const char byte : texts[text]) beyond += static_cast<unsigned char>(byte) >= 0xE0;
    });
    CharacterNumbers numbers;
    numbers.reset(beyond);
    ChrfTexts out{SymbolTexts(texts.size()), SymbolTexts(texts.size())};
    for (std::size_t t = 0; t < texts.size(); ++t) {
        out.characters[t].reserve(texts[t].size());
        each_character(texts[t], options.whitespace, [&](char32_t c) { out.characters[t].push_back(numbers.add(c)); });
    }
    if (!options.words) return out;
    std::vector<std::vector<Span>> words(texts.size());
    std::vector<Span> scratch;
    for (std::size_t t = 0; t < texts.size(); ++t) split_words(texts[t], scratch, words[t]);
    out.words = numbered(words);
    return out;
}

// chrF's columns of characters or words; `in_reference(n)` and `matches(n)` are those of order n + 1.
template <class InReference, class Matches>
void write_chrf(double* row, std::size_t orders, std::size_t hypothesis, InReference in_reference, Matches matches) {
    for (std::size_t n = 0; n < orders; ++n, row += 3) {
        row[1] = static_cast<double>(in_reference(n));
        row[0] = row[1] > 0 ? static_cast<double>(ngrams_in(hypothesis, n)) : 0.0;
        row[2] = static_cast<double>(matches(n));
    }
}

template <class Matches>
void write_bleu(double* row, std::size_t orders, std::size_t hypothesis, double reference, Matches matches) {
    row[0] = static_cast<double>(hypothesis);
    row[1] = reference;
    for (std::size_t n = 0; n < orders; ++n) {
        row[2 + n] = static_cast<double>(matches(n));
        row[2 + orders + n] = static_cast<double>(ngrams_in(hypothesis, n));
    }
}

// Calls compare(candidate) for every candidate, with a `compare` of its own for each thread.
template <class MakeCompare>
void each_candidate(const Sides& sides, unsigned threads, MakeCompare make_compare) {
    parallel_blocks(sides.candidates, threads, 8, [&] {
        return [compare = make_compare()](std::size_t begin, std::size_t end) mutable {
            for (std::size_t c = begin; c < end; ++c) compare(c);
        };
    });
}

// rows: (candidates, references, 2 + 2 order)
inline void bleu_pairwise(const Corpus& candidates, const Corpus& references, const BleuOptions& options,
                          unsigned threads, double* rows) {
    check_orders(1, options.order);
    const BothSides both(candidates, references);
    const Sides sides = both.sides();
    const SymbolTexts words = bleu_words(both, options);
    const PairwiseMatcher matcher(words, sides, options.order);
    each_candidate(sides, threads, [&] {
        return [&, matches = std::vector<std::uint32_t>()](std::size_t c) mutable {
            matcher.count(c, matches);
            double* row = rows + c * sides.references * (2 + 2 * options.order);
            for (std::size_t r = 0; r < sides.references; ++r, row += 2 + 2 * options.order)
                write_bleu(row, options.order, words[c].size(), static_cast<double>(words[sides.first + r].size()),
                           [&](std::size_t n) { return matches[n * sides.references + r]; });
        };
    });
}

// utilities: (candidates, references)
inline void chrf_pairwise(const Corpus& candidates, const Corpus& references, const ChrfOptions& options,
                          unsigned threads, double* utilities) {
    check_orders(1, options.characters + options.words);
    const BothSides both(candidates, references);
    const Sides sides = both.sides();
    const ChrfTexts texts = chrf_texts(both, options);
    const PairwiseMatcher characters(texts.characters, sides, options.characters);
    const PairwiseMatcher words(texts.words, sides, options.words);
    const auto write = [&](double* row, const SymbolTexts& parts, std::size_t orders, std::size_t c, std::size_t r,
                           const std::vector<std::uint32_t>& matches) {
        const std::size_t reference = parts[sides.first + r].size();
        write_chrf(
            row, orders, parts[c].size(), [&](std::size_t n) { return ngrams_in(reference, n); },
            [&](std::size_t n) { return matches[n * sides.references + r]; });
    };
    each_candidate(sides, threads, [&] {
        return [&, row = std::vector<double>(3 * (options.characters + options.words)),
                of_characters = std::vector<std::uint32_t>(),
                of_words = std::vector<std::uint32_t>()](std::size_t c) mutable {
            characters.count(c, of_characters);
            words.count(c, of_words);
            for (std::size_t r = 0; r < sides.references; ++r) {
                write(row.data(), texts.characters, options.characters, c, r, of_characters);
                write(row.data() + 3 * options.characters, texts.words, options.words, c, r, of_words);
                utilities[c * sides.references + r] = chrf_score(row.data(), options);
            }
        };
    });
}

// The mean number of n-grams of order n + 1 in a reference.
inline double mean_ngrams(const SymbolTexts& texts, const Sides& sides, std::span<const double> weights,
                          std::size_t n) {
    double mean = 0;
    for (std::size_t r = 0; r < sides.references; ++r)
        mean += weights[r] * static_cast<double>(ngrams_in(texts[sides.first + r].size(), n));
    return mean;
}

// rows: (candidates, 2 + 2 order); `weights` of the references sum to one
inline void bleu_aggregated(const Corpus& candidates, const Corpus& references, std::span<const double> weights,
                            const BleuOptions& options, double* rows) {
    check_orders(1, options.order);
    const BothSides both(candidates, references);
    const Sides sides = both.sides();
    const SymbolTexts words = bleu_words(both, options);
    const double length = mean_ngrams(words, sides, weights, 0);
    const std::vector<double> matches = aggregated_matches(words, sides, weights, options.order);
    for (std::size_t c = 0; c < sides.candidates; ++c)
        write_bleu(rows + c * (2 + 2 * options.order), options.order, words[c].size(), length,
                   [&](std::size_t n) { return matches[c * options.order + n]; });
}

// rows: (candidates, 3 (characters + words)); `weights` of the references sum to one
inline void chrf_aggregated(const Corpus& candidates, const Corpus& references, std::span<const double> weights,
                            const ChrfOptions& options, double* rows) {
    check_orders(1, options.characters + options.words);
    const BothSides both(candidates, references);
    const Sides sides = both.sides();
    const ChrfTexts texts = chrf_texts(both, options);
    const std::size_t columns = 3 * (options.characters + options.words);
    const auto count = [&](const SymbolTexts& parts, std::size_t orders, std::size_t first_column) {
        if (!orders) return;
        std::vector<double> in_reference(orders);
        for (std::size_t n = 0; n < orders; ++n) in_reference[n] = mean_ngrams(parts, sides, weights, n);
        const std::vector<double> matches = aggregated_matches(parts, sides, weights, orders);
        for (std::size_t c = 0; c < sides.candidates; ++c)
            write_chrf(
                rows + c * columns + first_column, orders, parts[c].size(),
                [&](std::size_t n) { return in_reference[n]; }, [&](std::size_t n) { return matches[c * orders + n]; });
    };
    count(texts.characters, options.characters, 0);
    count(texts.words, options.words, 3 * options.characters);
}

}  // namespace tertium
