// The sufficient statistics of WER and CER: of the nearest reference
//     edits, reference length, substitutions, deletions, insertions
// over words, or over characters (code points). A deletion is a word of the reference that is missing, an insertion a
// word of the hypothesis that is too many. The nearest reference has the fewest edits; of several the longest, then the
// first.
#pragma once

#include "edit_distance.hpp"
#include "lowercase.hpp"
#include "mapped_file.hpp"
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
        text = corpus.pieces[i];
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

// rows: (systems, segments, 5). A segment without any reference has reference length 0, as if it had an empty one.
inline void wer_statistics(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                           const WerOptions& options, unsigned threads, double* rows) {
    const std::size_t segments = systems.at(0)->size();
    each_block(systems, references, threads, [&] {
        return [&, tokens = Tokens{}, reference_tokens = std::vector<Tokens>(references.size()),
                vocabulary = Vocabulary{}, distance = Levenshtein{}, places = std::vector<Places>(references.size()),
                symbols = std::vector<std::vector<Symbol>>(references.size()),
                hypothesis = std::vector<Symbol>{}](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                std::size_t present = 0, lengths = 0;
                for (const Corpus* reference : references) {
                    if (reference->missing(i)) continue;
                    wer_tokens(*reference, i, options, reference_tokens[present]);
                    lengths += reference_tokens[present++].tokens.size();
                }
                vocabulary.reset(lengths);
                for (std::size_t r = 0; r < present; ++r) {
                    symbols[r].clear();
                    for (const Span token : reference_tokens[r].tokens) symbols[r].push_back(vocabulary.add(token));
                }
                for (std::size_t r = 0; r < present; ++r) places[r].set(symbols[r], vocabulary.size());
                for (std::size_t s = 0; s < systems.size(); ++s) {
                    wer_tokens(*systems[s], i, options, tokens);
                    hypothesis.clear();
                    for (const Span token : tokens.tokens) hypothesis.push_back(vocabulary.find(token));
                    EditCounts best;
                    best.removed = hypothesis.size();
                    std::size_t length = 0;
                    for (std::size_t r = 0; r < present; ++r) {
                        const EditCounts counts = distance.count(hypothesis, places[r]);
                        if (r > 0 && counts.edits() > best.edits()) continue;
                        if (r > 0 && counts.edits() == best.edits() && symbols[r].size() <= length) continue;
                        best = counts;
                        length = symbols[r].size();
                    }
                    double* row = rows + (s * segments + i) * 5;
                    row[0] = static_cast<double>(best.edits());
                    row[1] = static_cast<double>(length);
                    row[2] = static_cast<double>(best.substituted);
                    row[3] = static_cast<double>(best.inserted);
                    row[4] = static_cast<double>(best.removed);
                }
            }
        };
    });
}

}  // namespace tertium
