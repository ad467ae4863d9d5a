# The frame of .ci/run and .ci/thorough: named, timed steps. One that fails does not hide the
# next; `finish` lists all and ends with 1 if any failed.
# shellcheck shell=bash

set -u -o pipefail
unset PYTHONPATH PYTHONHOME # another tree's package would be tested in place of this one's
unset PYTHONDONTWRITEBYTECODE # a thousand children would each compile what they import
export CI=true PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 DEBIAN_FRONTEND=noninteractive
exec < /dev/null

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/gpuprobe-ci.XXXXXX")
trap 'rm -rf "$work"' EXIT
summary=()
failures=0

# step NAME COMMAND…: runs the command, a function of the script as a rule, in a subshell that
# stops at its first error.
step() {
    local name=$1 start=$SECONDS result=ok code
    shift
    printf '\n=== %s\n' "$name"
    # Not `if (…)`: inside a condition bash ignores `set -e`.
    (set -e; cd "$root"; "$@")
    code=$?
    if [ $code -ne 0 ]; then
        result="FAILED ($code)"
        failures=$((failures + 1))
    fi
    printf -- '--- %s: %s\n' "$name" "$result"
    summary+=("$(printf '%5d s  %-36s %s' $((SECONDS - start)) "$name" "$result")")
}

# left_out NAME REASON: a step that cannot run here is said, and counted as not done.
left_out() {
    printf '\n=== %s: left out: %s\n' "$1" "$2"
    summary+=("$(printf '    -    %-36s left out: %s' "$1" "$2")")
}

have() {
    command -v "$1" > "$work/found"
}

# need PROGRAM PACKAGE: installs the Debian package where the program is missing, if it can.
need() {
    if have "$1"; then return 0; fi
    if ! have apt-get || [ "$(id -u)" != 0 ]; then
        echo "$1 is missing, and there is no apt-get or no right to use it"
        return 0
    fi
    { apt-get update && apt-get install -y --no-install-recommends "$2"; } > "$work/apt.log" 2>&1 \
        || tail -n 3 "$work/apt.log"
}

# venv FOLDER [REQUIREMENT…]: a fresh environment of python3.
venv() {
    local folder=$1
    shift
    python3 -m venv "$folder"
    if [ $# -gt 0 ]; then "$folder/bin/python" -m pip install -q "$@"; fi
}

# c_build FOLDER COMPILER [OPTION…]: configures and builds the C core with its tests.
c_build() {
    local folder=$1 compiler=$2
    shift 2
    cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug \
        -DGPUPROBE_TESTS=ON -DGPUPROBE_WERROR=ON "$@" > "$folder.log" 2>&1 \
        || { tail -n 30 "$folder.log"; return 1; }
    cmake --build "$folder" > "$folder.log" 2>&1 || { tail -n 60 "$folder.log"; return 1; }
}

# c_test FOLDER: runs the tests that c_build built.
c_test() {
    ctest --test-dir "$1" --output-on-failure --no-tests=error
}

# finish [FILE]: the table of steps, then FILE's last line: pytest's closing line.
finish() {
    printf '\n=== %s\n' "$(basename "$0")"
    printf '%s\n' "${summary[@]}"
    printf '%5d s  in all, %d failed\n' "$SECONDS" "$failures"
    if [ $# -gt 0 ] && [ -s "$1" ]; then tail -n 1 "$1"; fi
    [ "$failures" -eq 0 ]
    exit
}
