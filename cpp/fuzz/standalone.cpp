// A fuzzer for compilers without libFuzzer: random pieces of words.txt, random bytes, and changed copies of earlier
// inputs.
//
//     standalone SECONDS SEED WORDS [FILE...]      files are inputs to begin with, or failures to try again (SECONDS =
//     0)
//
// The input at hand is written to `failing-input` before it is tried and removed at the end, so a crash leaves it
// behind.
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

#include "invariants.hpp"

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
    return end ? random() % end : 0;
}

std::string read(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        std::cerr << path << ": cannot be read\n";
        std::exit(2);
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

void check(const std::string& input) {
    std::ofstream("failing-input", std::ios::binary) << input;
    tertium::fuzz::check_everything(input);
}

// The words between quotes, one a line; \xAB is a byte.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (const tertium::Span line : tertium::fuzz::cut(text, '\n')) {
        if (line.size() < 2 || line[0] != '"') continue;
        std::string word;
        for (std::size_t i = 1; i + 1 < line.size(); ++i) {
            if (line[i] != '\\') {
                word += line[i];
            } else if (line[i + 1] == 'x') {
                word += static_cast<char>(std::stoi(std::string(line.substr(i + 2, 2)), nullptr, 16));
                i += 3;
            } else {
                word += line[++i];
            }
        }
        words.push_back(word);
    }
    return words;
}

std::string invented(Random& random, const std::vector<std::string>& words) {
    std::string input(1, static_cast<char>(random()));
    const std::size_t kinds = 1 + below(random, words.size()), first = below(random, words.size());
    for (std::size_t pieces = below(random, 120); pieces; --pieces) {
        if (below(random, 12) == 0) input += '\x1e';
        else if (below(random, 40) == 0) input += static_cast<char>(random());
        else input += words[(first + below(random, kinds)) % words.size()];
    }
    return input;
}

std::string changed(Random& random, std::string input, const std::vector<std::string>& words) {
    for (std::size_t changes = 1 + below(random, 4); changes; --changes) {
        const std::size_t at = below(random, input.size() + 1);
        const std::size_t size = below(random, std::min<std::size_t>(input.size() - at, 9) + 1);
        switch (below(random, 4)) {
            case 0: input.erase(at, size); break;
            case 1: input.insert(at, words[below(random, words.size())]); break;
            case 2: input.insert(below(random, input.size() + 1), input.substr(at, size)); break;
            default:
                if (at < input.size()) input[at] = static_cast<char>(random());
        }
    }
    if (input.size() > 2000) input.resize(2000);
    return input;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) {
        std::cerr << "usage: " << arguments[0] << " SECONDS SEED WORDS [FILE...]\n";
        return 2;
    }
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(std::stoul(arguments[1]));
    Random random(std::stoull(arguments[2]));
    const std::vector<std::string> words = words_of(read(arguments[3]));
    std::vector<std::string> known{""};
    for (int i = 4; i < count; ++i) known.push_back(read(arguments[i]));
    for (const std::string& input : known) check(input);
    std::size_t tried = known.size();
    for (; Clock::now() < end; ++tried) {
        const bool fresh = below(random, 2);
        std::string input =
            fresh ? invented(random, words) : changed(random, known[below(random, known.size())], words);
        check(input);
        if (known.size() < 256) known.push_back(std::move(input));
        else known[below(random, known.size())] = std::move(input);
    }
    std::remove("failing-input");
    std::cout << tried << " inputs, no failure\n";
}
