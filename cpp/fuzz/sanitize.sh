#!/usr/bin/env bash
# Builds the core with AddressSanitizer and UndefinedBehaviorSanitizer and runs the tests of the core with it.
#
# It goes into build/sanitize and leaves the usual installation alone: a venv of its own sees first the sanitized
# package and then the packages of $PYTHON, whose editable installation it does not follow. Python itself is not
# sanitized, so the sanitizer's library has to be loaded before everything else, and memory that Python never frees is
# no news.
set -euo pipefail
cd "$(dirname "$0")/../.."

python="${PYTHON:-python3}"
folder="$PWD/build/sanitize"
stage="$folder/package"
compiler="${CXX:-g++}"

echo "Building the core with sanitizers ..."
rm -rf "$stage"
"$python" -m pip -q install --no-build-isolation --no-deps --target "$stage" \
    --config-settings cmake.define.TERTIUM_SANITIZE=ON --config-settings build-dir="$folder/cmake" . 2>&1 | { grep -v WARNING || true; }
"$python" -m venv --without-pip --clear "$folder/venv"
site="$("$folder/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
"$python" -c 'import sys; print(*(path for path in sys.path if path.endswith("site-packages")), sep="\n")' \
    | { echo "$stage"; cat; } >"$site/packages.pth"

export LD_PRELOAD="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libstdc++.so.6)"
# Not detect_stack_use_after_return: GCC 12 aligns the stacks it makes for it to 32 bytes, AVX-512 needs 64.
export ASAN_OPTIONS="detect_leaks=0:abort_on_error=1:detect_stack_use_after_return=0"
export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1"
found="$("$folder/venv/bin/python" -c 'import tertium.native._core as core; print(core.__file__)')"
case "$found" in
    "$stage"/*) ;;
    *) echo "the sanitized core was not found, but $found" >&2; exit 1 ;;
esac
exec "$folder/venv/bin/python" -m pytest -q -p no:cacheprovider "${@:-tests/native}"
