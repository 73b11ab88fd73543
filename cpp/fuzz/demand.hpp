// A law that must hold: where it does not, the program says which and aborts.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace tertium::fuzz {

inline void demand(bool holds, const char* law) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", law);
    std::abort();
}

}  // namespace tertium::fuzz
