// A text file as a read-only memory map, and giving its pages back while it is being read.
//
// A corpus of a mapped file costs 16 bytes a line. Reading it brings its pages into memory; `release` tells the system
// that the lines of a finished block will not be needed again, so a file of any size is scored in little memory. (It is
// safe only for file maps, where a page that is needed after all comes back from the file: hence the flag in Corpus,
// set here and nowhere else.) As with every memory map, a file must not be shortened by others while it is read.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

#include "lines.hpp"
#include "parallel.hpp"
#include "text.hpp"

namespace tertium {

class MappedFile {
  public:
    explicit MappedFile(const std::string& path) {
        const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) throw std::system_error(errno, std::generic_category(), path);
        struct stat facts{};
        int failure = fstat(file, &facts) < 0 ? errno : S_ISDIR(facts.st_mode) ? EISDIR : 0;
        size_ = failure ? 0 : static_cast<std::size_t>(facts.st_size);
        if (size_) {
            data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
            if (data_ == MAP_FAILED) failure = errno;
        }
        close(file);
        if (failure) throw std::system_error(failure, std::generic_category(), path);
    }
    ~MappedFile() {
        if (size_) munmap(data_, size_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    Span text() const { return {size_ ? static_cast<const char*>(data_) : "", size_}; }

    void release() const {
        if (size_) madvise(data_, size_, MADV_DONTNEED);
    }

  private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

inline Corpus corpus_of_file(const MappedFile& file) {
    Corpus corpus;
    corpus.pieces = lines_of(file.text());
    corpus.mapped = true;
    file.release();
    return corpus;
}

// Gives back the pages of lines [begin, end). A fault brings in up to 64 KiB around it, so as much before is given back
// too.
inline void release(const Corpus& corpus, std::size_t begin, std::size_t end) {
    if (!corpus.mapped || begin == end) return;
    static const std::uintptr_t page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto first = reinterpret_cast<std::uintptr_t>(corpus.pieces.front().data()) / page * page;
    auto from = reinterpret_cast<std::uintptr_t>(corpus.pieces[begin].data()) / page * page;
    const Span& last = corpus.pieces[end - 1];
    const auto to = reinterpret_cast<std::uintptr_t>(last.data() + last.size()) / page * page;
    from = from > first + (64 << 10) ? from - (64 << 10) : first;
    if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

// Every kernel needs this to hold; Python's side checks it too, with a better message.
inline void check_sizes(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references) {
    for (const auto* corpora : {&systems, &references})
        for (const Corpus* corpus : *corpora)
            if (corpus->size() != systems.at(0)->size())
                throw std::invalid_argument("systems and references have different numbers of segments");
}

// parallel_blocks over the segments that systems and references share; pages of finished blocks are given back.
template <class MakeWorker>
void each_block(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                unsigned threads, MakeWorker make_worker) {
    check_sizes(systems, references);
    parallel_blocks(systems.at(0)->size(), threads, 256, [&] {
        return [&, worker = make_worker()](std::size_t begin, std::size_t end) mutable {
            worker(begin, end);
            for (const Corpus* corpus : systems) release(*corpus, begin, end);
            for (const Corpus* corpus : references) release(*corpus, begin, end);
        };
    });
}

}  // namespace tertium
