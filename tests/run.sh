#!/bin/bash
# Builds and runs the tests; installs what they need. Its last line is "N passed, N failed".
#
#   tests/run.sh                 everything
#   tests/run.sh PART…           lint, architecture, unit, integration, differential, simulation, sanitizers, benchmark,
#                                e2e
#
# As root or with sudo on Debian 12. Logs of a failed e2e test: build/e2e-logs.
set -euo pipefail
repo=$(cd "$(dirname "$0")/.." && pwd)
cd "$repo"
# shellcheck source=deploy/lib/packages.sh
. deploy/lib/packages.sh

all=(lint architecture unit integration differential simulation sanitizers benchmark e2e)
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=("${all[@]}")
for part in "${parts[@]}"; do
  [[ " ${all[*]} " == *" $part "* ]] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
done
wanted() { [[ " ${parts[*]} " == *" $1 "* ]]; }

passed=0
failed=0
# count NAME COMMAND…: one test that is a command.
count() {
  local name=$1; shift
  if "$@"; then
    passed=$((passed + 1)); echo "ok: $name"
  else
    failed=$((failed + 1)); echo "FAILED: $name"
  fi
}
# labelled BUILD-FOLDER LABEL…: ctest's tests of these labels, one by one into the count.
labelled() {
  local build=$1 label junit; shift
  for label in "$@"; do
    say "ctest -L $label ($build)"
    junit="$repo/$build/junit-$label.xml"
    rm -f "$junit"
    local jobs=2 output=--output-on-failure
    [ "$label" != e2e ] || { jobs=1; output=--verbose; }  # the crash matrix is there to be read
    ctest --test-dir "$build" -L "^$label\$" -j "$jobs" "$output" --no-tests=error --output-junit "$junit" ||
      echo "ctest -L $label: not all passed"
    [ -s "$junit" ] || { failed=$((failed + 1)); continue; }
    local total bad
    total=$(grep -o 'tests="[0-9]*"' "$junit" | head -1 | tr -dc 0-9)
    bad=$(grep -o 'failures="[0-9]*"' "$junit" | head -1 | tr -dc 0-9)
    passed=$((passed + total - bad)); failed=$((failed + bad))
  done
}
build() {
  say "building (preset $1)"
  cmake --preset "$1" > /dev/null && cmake --build "build/$1"
}

install_packages "${BUILD_PACKAGES[@]}" "${RUN_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
if wanted lint; then
  install_buf build/buf
  say "buf lint"
  count "buf lint of proto/" bash -c 'cd proto && ../build/buf/node_modules/.bin/buf lint'
fi
if wanted unit || wanted integration || wanted differential || wanted architecture || wanted e2e; then
  build dev
fi
for label in architecture unit integration differential; do
  if wanted "$label"; then labelled build/dev "$label"; fi
done
if wanted simulation; then
  say "simulation (preset release)"
  cmake --preset release -DBUILD_TESTING=ON > /dev/null
  cmake --build build/release --target simulate mutations
  simulation=build/release/tests/simulation
  count "S1 to S8 hold in 2,000 simulated fleets" "$simulation/simulate" --seeds 2000
  for rule in S1 S2 S3 S4 S5 S6 S7 S8; do
    count "the simulation finds a mutation against $rule" "$simulation/simulate_$rule" --seeds 2000 --hunt "$rule"
  done
fi
if wanted sanitizers; then
  build asan-ubsan
  export LSAN_OPTIONS="suppressions=$repo/tests/lsan.supp:print_suppressions=0"
  labelled build/asan-ubsan unit integration
fi
if wanted benchmark; then
  say "benchmark (preset release): printed, not judged"
  cmake --preset release -DBUILD_TESTING=ON > /dev/null
  cmake --build build/release --target bench_properties bench_decide
  count "benchmark of an edit" build/release/tests/benchmark/bench_properties
  count "benchmark of a decision" build/release/tests/benchmark/bench_decide
fi
if wanted e2e; then
  install_jars .sandbox/jars deploy/sandbox/pom.xml
  labelled build/dev e2e
fi
say "summary"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
