#!/bin/bash
# Brings a real Kafka Connect fleet on this machine from disabled over preparing to enabled while records flow, and
# counts what came of it.
#
#   deploy/demo.sh          the whole, then everything is ended
#   deploy/demo.sh --keep   leaves the fleet up and says how to play with it
#   deploy/demo.sh --stop   ends a fleet that was kept
#
# As root or with sudo on Debian 12: it installs what it needs. Everything else stays in this folder.
set -euo pipefail
repo=$(cd "$(dirname "$0")/.." && pwd)
cd "$repo"
# shellcheck source=deploy/lib/packages.sh
. deploy/lib/packages.sh

case "${1:-}" in
  "" | --keep | --stop) ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
if [ "${1:-}" = --stop ]; then
  exec python3 -B deploy/demo.py --stop --run .sandbox/demo
fi
install_packages "${BUILD_PACKAGES[@]}" "${RUN_PACKAGES[@]}"
install_jars .sandbox/jars deploy/sandbox/pom.xml
say "building eos-agent and eosctl (preset release)"
cmake --preset release -DBUILD_TESTING=OFF > /dev/null
cmake --build build/release --target eos-agent eosctl
exec python3 -B deploy/demo.py --programs build/release --jars .sandbox/jars --run .sandbox/demo ${1:+"$1"}
