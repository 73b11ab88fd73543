#!/usr/bin/env bash
# Feeds the core with generated input for FUZZ_SECONDS under AddressSanitizer and UndefinedBehaviorSanitizer: with
# libFuzzer where clang++ has it (Debian: clang and libclang-rt-*-dev), else with the fuzzer of standalone.cpp under
# the usual compiler. What libFuzzer has found interesting stays in build/fuzz/corpus and is where the next run
# begins.
set -euo pipefail
cd "$(dirname "$0")"

seconds="${FUZZ_SECONDS:-60}"
seed="${FUZZ_SEED:-$RANDOM}"
folder=../../build/fuzz
flags=(-std=c++20 -O1 -g -I.. -I. -pthread -Wall -ffp-contract=off)
sanitizers=address,undefined
export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1"
mkdir -p "$folder/corpus"

fuzzer=""
for compiler in clang++ clang++-{21..14}; do
    if echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
        "$compiler" -fsanitize="fuzzer,$sanitizers" -x c++ - -o "$folder/probe" 2>/dev/null; then
        fuzzer="$compiler"
        break
    fi
done

if [ -n "$fuzzer" ]; then
    echo "Fuzzing for $seconds s with libFuzzer of $fuzzer ..."
    # gcc has this macro by itself; the core leaves out a reading of whole words when it sees it.
    "$fuzzer" "${flags[@]}" -U__SANITIZE_ADDRESS__ -D__SANITIZE_ADDRESS__ \
        -fsanitize="fuzzer,$sanitizers" libfuzzer.cpp -o "$folder/libfuzzer"
    words="$PWD/words.txt"
    cd "$folder"
    ./libfuzzer -dict="$words" -max_total_time="$seconds" -seed="$seed" -max_len=2000 -len_control=0 -timeout=20 \
        -verbosity=0 -print_final_stats=1 corpus 2>&1 | grep -v "# Uses:\|Recommended dict\|recommended dict"
    exit
fi

echo "Fuzzing for $seconds s with ${CXX:-c++}; seed $seed ..."
"${CXX:-c++}" "${flags[@]}" -fsanitize="$sanitizers" standalone.cpp -o "$folder/standalone"
words="$PWD/words.txt"
cd "$folder"
exec ./standalone "$seconds" "$seed" "$words"
