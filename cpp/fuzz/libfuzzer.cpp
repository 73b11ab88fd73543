// The door for libFuzzer (clang++ -fsanitize=fuzzer).
#include "invariants.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tertium::fuzz::check_everything({reinterpret_cast<const char*>(data), size});
    return 0;
}
