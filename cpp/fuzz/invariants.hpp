// What must hold for every input, kernel by kernel. A broken law aborts, which is how a fuzzer learns of it; bad memory
// accesses and undefined behaviour are found by the sanitizers that the target is built with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bleu.hpp"
#include "chrf.hpp"
#include "demand.hpp"
#include "edit_invariants.hpp"
#include "lines.hpp"
#include "lowercase.hpp"
#include "nist.hpp"
#include "overlap.hpp"
#include "pairwise_statistics.hpp"
#include "tokenizers.hpp"

namespace tertium::fuzz {

// Text made of the bytes: those that are none become "?".
inline std::string repaired(Span bytes) {
    std::string text(bytes);
    for (std::size_t bad; (bad = not_text_at(text)) != text.size();) text[bad] = '?';
    return text;
}

inline std::vector<Span> cut(Span text, char at) {
    std::vector<Span> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(at, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

inline std::string without_space(Span text) {
    std::vector<Span> words;
    split(text, words);
    std::string joined;
    for (const Span word : words) joined += word;
    return joined;
}

// A file is refused at its first bad byte, or its lines are the file.
inline void check_lines(Span bytes) {
    try {
        std::string joined;
        for (const Span line : lines_of(bytes)) {
            demand(line.find('\n') == Span::npos, "a line ends at a newline");
            (joined += line) += '\n';
        }
        const bool ended = bytes.empty() || bytes.back() == '\n';
        demand(joined == std::string(bytes) + (ended ? "" : "\n"), "the lines joined are the file");
        demand(repaired(bytes) == bytes, "a file that is read is text");
    } catch (const NotText&) {
        demand(repaired(bytes) != bytes, "a file that is refused is no text");
    }
}

// Tokens are not empty and hold no white space; together they are the text, but for what two of the schemes remove.
inline void check_tokenizers(const std::string& text) {
    for (const char* name : {"none", "13a", "intl", "zh", "char", "alphanumeric"}) {
        Tokens tokens;
        tokenizer_named(name)(text, tokens);
        std::string joined;
        for (const Span token : tokens.tokens) {
            demand(!token.empty(), "no token is empty");
            demand(without_space(token) == token, "no token holds white space");
            demand(not_text_at(token) == token.size(), "tokens are whole characters");
            joined += token;
        }
        const bool removes = Span(name) == "13a" || Span(name) == "alphanumeric";
        if (removes) demand(joined.size() <= text.size(), "a tokenizer adds no characters");
        else demand(joined == without_space(text), "the tokens are the text without white space");
    }
}

inline void check_lowercase(const std::string& text) {
    std::string once, twice, parts;
    append_lower(text, once);
    append_lower(once, twice);
    demand(not_text_at(once) == once.size(), "lower case is valid UTF-8");
    demand(once == twice, "lower case has no lower case of its own");
    for (const char c : once) demand(c < 'A' || c > 'Z', "no capital of ASCII is left");
}

// The matcher against counting in a map.
inline void check_matcher(const std::vector<Span>& lines) {
    std::vector<std::vector<Symbol>> references(lines.size() - 1);
    std::vector<Symbol> hypothesis;
    std::size_t most = 1;
    for (const Span line : lines) most += line.size();
    Vocabulary vocabulary;
    vocabulary.reset(most);
    for (std::size_t r = 0; r < references.size(); ++r)
        for (const char& c : lines[r + 1]) references[r].push_back(vocabulary.add({&c, 1}));
    for (const char& c : lines[0]) hypothesis.push_back(vocabulary.find({&c, 1}));
    constexpr std::size_t orders = 4;
    std::uint32_t matches[orders] = {};
    NgramMatcher matcher;
    matcher.prepare({references.data(), references.size()}, vocabulary.size(), orders);
    if (!references.empty()) matcher.count(hypothesis, orders, matches);
    for (std::size_t n = 1; n <= orders; ++n) {
        const auto counted = [&](const std::vector<Symbol>& symbols) {
            std::map<std::vector<Symbol>, std::uint32_t> counts;
            for (std::size_t i = 0; i + n <= symbols.size(); ++i) {
                const auto first = symbols.begin() + static_cast<std::ptrdiff_t>(i);
                ++counts[{first, first + static_cast<std::ptrdiff_t>(n)}];
            }
            return counts;
        };
        std::map<std::vector<Symbol>, std::uint32_t> ceiling;
        for (const auto& reference : references)
            for (const auto& [gram, count] : counted(reference)) ceiling[gram] = std::max(ceiling[gram], count);
        std::uint32_t wanted = 0;
        for (const auto& [gram, count] : counted(hypothesis))
            if (const auto found = ceiling.find(gram); found != ceiling.end()) wanted += std::min(count, found->second);
        demand(matches[n - 1] == wanted, "the matches are those counted in a map");
    }
}

// Corpora of the lines: a system, its first reference, and a second one with gaps, raw or as token lists.
struct TestSet {
    Corpus system, first, second;
    std::vector<const Corpus*> systems{&system, &first}, references{&first, &second};
};

inline void fill(TestSet& set, const std::vector<Span>& lines, bool tokenised) {
    Corpus* const corpora[] = {&set.system, &set.first, &set.second};
    if (tokenised)
        for (Corpus* corpus : corpora) corpus->starts.push_back(0);
    for (std::size_t i = 0; i + 2 < lines.size(); i += 3)
        for (std::size_t c = 0; c < 3; ++c) {
            const bool missing = c == 2 && i % 2;
            if (!tokenised) {
                corpora[c]->pieces.push_back(missing ? Span() : lines[i + c].data() ? lines[i + c] : Span(""));
                continue;
            }
            if (!missing) split(lines[i + c], corpora[c]->pieces);
            corpora[c]->starts.push_back(corpora[c]->pieces.size());
            if (c == 2) corpora[c]->absent.push_back(missing);
        }
}

// `run(threads, rows)` twice: the rows must not depend on the threads.
template <class Run>
std::vector<double> same_for_threads(std::size_t size, Run run) {
    std::vector<double> one(size), three(size);
    run(1u, one.data());
    run(3u, three.data());
    demand(one == three, "the rows do not depend on the number of threads");
    for (const double value : one)
        demand(value >= 0 || value == -1, "a statistic is a count, or -1 where there is none");
    return one;
}

inline void check_bleu(const TestSet& set, const char* tokenizer, bool lowercase) {
    const std::size_t segments = set.system.size(), columns = 10;
    const BleuOptions options{tokenizer_named(tokenizer), lowercase, 4, ReferenceLength::closest};
    const auto rows = same_for_threads(2 * segments * columns, [&](unsigned threads, double* out) {
        bleu_statistics(set.systems, set.references, options, threads, out);
    });
    for (std::size_t i = 0; i < 2 * segments; ++i)
        for (std::size_t n = 0; n < 4; ++n) {
            const double* row = &rows[i * columns];
            demand(row[2 + n] <= row[6 + n], "no more matches than n-grams");
            if (i >= segments) demand(row[2 + n] == row[6 + n], "a text equal to a reference matches it throughout");
        }
}

inline void check_chrf(const TestSet& set, bool lowercase, bool whitespace) {
    const std::size_t segments = set.system.size(), orders = 8, columns = 3 * orders;
    const ChrfOptions options{6, 2, 2.0, lowercase, whitespace, false};
    const auto rows = same_for_threads(2 * segments * columns, [&](unsigned threads, double* out) {
        chrf_statistics(set.systems, set.references, options, threads, out);
    });
    for (std::size_t i = 0; i < 2 * segments * orders; ++i) {
        const double *row = &rows[3 * i], hypothesis = row[0], reference = row[1], matches = row[2];
        demand(matches <= hypothesis && matches <= reference, "no more matches than n-grams on either side");
        if (i >= segments * orders) demand(matches == reference, "a text equal to a reference matches it throughout");
    }
}

inline void check_others(const TestSet& set, const char* tokenizer, bool lowercase) {
    const std::size_t segments = set.system.size();
    same_for_threads(2 * segments * 12, [&](unsigned threads, double* out) {
        nist_statistics(set.systems, set.references, NistOptions{tokenizer_named(tokenizer), lowercase, 5}, threads,
                        out);
    });
    using enum OverlapRule;
    for (const OverlapRule rule : {ngrams, occurrences, anywhere, subsequence}) {
        const OverlapOptions options{tokenizer_named(tokenizer), lowercase, rule, 1, 2};
        same_for_threads(2 * segments * 2 * 4, [&](unsigned threads, double* out) {
            overlap_statistics(set.systems, set.references, options, threads, out);
        });
    }
}

inline void check_edits(const TestSet& set, const char* tokenizer, unsigned choice) {
    const std::size_t segments = set.system.size();
    const TercomOptions options{(choice & 2) != 0, (choice & 4) != 0, (choice & 8) != 0, (choice & 16) != 0};
    const auto ter = same_for_threads(2 * segments * 2, [&](unsigned threads, double* out) {
        ter_statistics(set.systems, set.references, options, threads, out);
    });
    for (std::size_t i = segments; i < 2 * segments && !options.normalized; ++i)
        demand(ter[2 * i] == 0, "a text equal to a reference needs no edit");
    for (const bool characters : {false, true}) {
        const WerOptions wer{tokenizer_named(tokenizer), (choice & 2) != 0, characters, (choice & 4) != 0};
        const auto rows = same_for_threads(2 * segments * 5, [&](unsigned threads, double* out) {
            wer_statistics(set.systems, set.references, wer, threads, out);
        });
        for (std::size_t i = 0; i < 2 * segments; ++i) {
            demand(rows[5 * i] == rows[5 * i + 2] + rows[5 * i + 3] + rows[5 * i + 4], "the kinds of edits add up");
            demand(i < segments || rows[5 * i] == 0, "a text equal to a reference needs no edit");
        }
    }
}

// All pairs at once against one reference at a time, and the mean of a reference with itself against that reference.
inline void check_pairwise(const TestSet& set, const char* tokenizer, bool lowercase, bool whitespace) {
    const Corpus &candidates = set.system, &references = set.first;
    const std::size_t segments = candidates.size();
    const BleuOptions bleu{tokenizer_named(tokenizer), lowercase, 4, ReferenceLength::closest};
    const ChrfOptions chrf{6, 2, 2.0, lowercase, whitespace, false};
    const auto bleu_rows = same_for_threads(segments * segments * 10, [&](unsigned threads, double* out) {
        bleu_pairwise(candidates, references, bleu, threads, out);
    });
    const auto chrf_scores = same_for_threads(segments * segments, [&](unsigned threads, double* out) {
        chrf_pairwise(candidates, references, chrf, threads, out);
    });
    const std::vector<double> weights(segments, 1.0 / static_cast<double>(segments));
    std::vector<double> bleu_row(segments * 10), chrf_row(segments * 24);
    for (std::size_t r = 0; r < segments; ++r) {
        Corpus alone;  // the r-th reference for every candidate
        const bool tokenised = references.tokenised();
        if (tokenised) alone.starts.push_back(0);
        for (std::size_t c = 0; c < segments; ++c) {
            const std::size_t begin = tokenised ? references.starts[r] : r;
            const std::size_t end = tokenised ? references.starts[r + 1] : r + 1;
            for (std::size_t p = begin; p < end; ++p) alone.pieces.push_back(references.pieces[p]);
            if (tokenised) alone.starts.push_back(alone.pieces.size());
        }
        bleu_statistics({&candidates}, {&alone}, bleu, 1, bleu_row.data());
        chrf_statistics({&candidates}, {&alone}, chrf, 1, chrf_row.data());
        for (std::size_t c = 0; c < segments; ++c) {
            const std::size_t pair = c * segments + r;
            demand(std::equal(&bleu_row[c * 10], &bleu_row[c * 10] + 10, &bleu_rows[pair * 10]),
                   "a pair's row does not depend on the other pairs");
            demand(chrf_score(&chrf_row[c * 24], chrf) == chrf_scores[pair],
                   "a pair's score does not depend on the other pairs");
        }
        std::vector<double> mean(segments * 24);
        chrf_aggregated(candidates, alone, weights, chrf, mean.data());
        for (std::size_t i = 0; i < mean.size(); ++i)
            demand(std::abs(mean[i] - chrf_row[i]) <= 1e-9 * (1 + chrf_row[i]), "the mean of equals is like each");
    }
}

// The first byte says how the rest is read: which tokenizer, lower-cased or not, raw text or token lists.
inline void check_everything(Span bytes) {
    check_lines(bytes);
    if (bytes.empty()) return;
    const auto choice = static_cast<unsigned char>(bytes[0]);
    const std::string text = repaired(bytes.substr(1));
    check_tokenizers(text);
    check_lowercase(text);
    const std::vector<Span> lines = cut(text, '\x1e');
    check_matcher(lines);
    if (lines.size() > 1) check_distances(lines[0], lines[1]);
    TestSet set;
    fill(set, lines, choice & 1);
    if (!set.system.size()) return;
    const char* const tokenizers[] = {"none", "13a", "intl", "zh", "char"};
    const char* const tokenizer = tokenizers[(choice >> 3) % 5];
    check_bleu(set, tokenizer, choice & 2);
    check_chrf(set, choice & 2, choice & 4);
    check_others(set, tokenizer, choice & 2);
    check_edits(set, tokenizer, choice);
    check_pairwise(set, tokenizer, choice & 2, choice & 4);
}

}  // namespace tertium::fuzz
