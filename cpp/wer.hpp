// The sufficient statistics of WER and CER: of the nearest reference
//     edits, reference length, substitutions, deletions, insertions
// over words, or over characters (code points). A deletion is a word of the reference that is missing, an insertion a
// word of the hypothesis that is too many. The nearest reference has the fewest edits; of several the longest, then the
// first.
#pragma once

#include "edit_distance.hpp"
#include "lowercase.hpp"
#include "mapped_file.hpp"
#include "segment_symbols.hpp"
#include "text.hpp"
#include "tokenizers.hpp"

namespace tertium {

struct WerOptions {
    Tokenizer tokenizer;
    bool lowercase = false;
    bool characters = false;  // tokens are characters, not what the tokenizer finds
    bool whitespace = true;   // white space between characters counts (at the ends of a text it never does)
};

// Appends the characters of a text.
inline void split_characters(Span text, bool whitespace, std::vector<Span>& characters) {
    text = strip_right(text);
    const char* const end = text.data() + text.size();
    bool started = false;
    for (const char* p = text.data(); p != end;) {
        const std::size_t space = space_at(p, end),
                          width = space ? space : character_width(static_cast<unsigned char>(*p));
        if (!space || (whitespace && started)) characters.emplace_back(p, width);
        started |= !space;
        p += width;
    }
}

// The words or characters of segment i. Token lists are joined by a space for characters.
inline void wer_tokens(const Corpus& corpus, std::size_t i, const WerOptions& options, Tokens& out) {
    out.tokens.clear();
    out.buffer.clear();
    if (!options.characters) return tokens_of(corpus, i, options.tokenizer, options.lowercase, out);
    Span text;
    if (!corpus.tokenised()) {
        text = text_of(corpus, i, out.copy);
    } else {
        for (std::size_t t = corpus.starts[i]; t < corpus.starts[i + 1]; ++t) (out.buffer += corpus.pieces[t]) += ' ';
        text = out.buffer;
    }
    if (options.lowercase) {
        out.lowered.clear();
        append_lower(text, out.lowered);
        text = out.lowered;
    }
    split_characters(text, options.whitespace, out.tokens);
}

// One thread's work: the rows of a segment for every system.
class WerCounter {
  public:
    WerCounter(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
               const WerOptions& options)
        : systems_(systems), options_(options), words_(references), places_(references.size()) {}

    // Writes the rows of segment i; `stride` is the distance between two systems' rows.
    void count(std::size_t i, double* row, std::size_t stride) {
        const auto cut = [&](const Corpus& corpus, std::size_t segment, Tokens& tokens) {
            wer_tokens(corpus, segment, options_, tokens);
        };
        words_.read(i, cut);
        const auto references = words_.references();
        for (std::size_t r = 0; r < references.size(); ++r) places_[r].set(references[r], words_.symbols());
        for (const Corpus* system : systems_) {
            words_.read_hypothesis(*system, i, cut, hypothesis_);
            choose(references.size(), row);
            row += stride;
        }
    }

  private:
    // The row of the nearest reference.
    void choose(std::size_t present, double* row) {
        EditCounts best;
        best.removed = hypothesis_.size();
        std::size_t length = 0;
        for (std::size_t r = 0; r < present; ++r) {
            const EditCounts counts = distance_.count(hypothesis_, places_[r]);
            const std::size_t here = places_[r].reference().size();
            if (r > 0 && counts.edits() > best.edits()) continue;
            if (r > 0 && counts.edits() == best.edits() && here <= length) continue;
            best = counts;
            length = here;
        }
        row[0] = static_cast<double>(best.edits());
        row[1] = static_cast<double>(length);
        row[2] = static_cast<double>(best.substituted);
        row[3] = static_cast<double>(best.inserted);
        row[4] = static_cast<double>(best.removed);
    }

    const std::vector<const Corpus*>& systems_;
    const WerOptions& options_;
    SegmentSymbols words_;
    std::vector<Places> places_;
    std::vector<Symbol> hypothesis_;
    Levenshtein distance_;
};

// rows: (systems, segments, 5). A segment without any reference has reference length 0, as if it had an empty one.
inline void wer_statistics(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                           const WerOptions& options, unsigned threads, double* rows) {
    each_segment(systems, references, 5, threads, rows, [&] { return WerCounter(systems, references, options); });
}

}  // namespace tertium
