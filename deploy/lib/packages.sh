# shellcheck shell=bash
# Installs what is missing, from Debian's packages, Maven Central and npm. Sourced by demo.sh and tests/run.sh.
# Each function is quick when there is nothing to do.

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
fail() { echo "$*" >&2; exit 1; }

BUILD_PACKAGES=(g++ cmake ninja-build ccache pkg-config libgrpc++-dev protobuf-compiler-grpc libprotobuf-dev
  protobuf-compiler libabsl-dev libspdlog-dev libssl-dev librdkafka-dev libcurl4-openssl-dev nlohmann-json3-dev
  libyaml-cpp-dev libsystemd-dev libcli11-dev)
RUN_PACKAGES=(openjdk-17-jre-headless maven kcat openssl python3)
TEST_PACKAGES=(openjdk-17-jdk-headless dbus-daemon libacl1-dev libgtest-dev libgmock-dev libbenchmark-dev
  patch)

# install_packages NAME…
install_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing Debian packages: ${missing[*]}"
  command -v apt-get >/dev/null || fail "these are missing, and there is no apt-get to install them: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "these are missing: ${missing[*]}. Run as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq || fail "apt-get update failed: is Debian's mirror reachable?"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    > /dev/null || fail "apt-get could not install: ${missing[*]}"
}

# The jars of a real Kafka into DIR, once.
install_jars() {
  local dir pom=$2
  mkdir -p "$1"
  dir=$(cd "$1" && pwd)  # Maven takes a relative one from the pom's folder
  if [ -e "$dir/.complete" ] && compgen -G "$dir/connect-runtime-*.jar" > /dev/null; then return 0; fi
  say "fetching Kafka's jars from Maven Central (51 MB, once)"
  mvn -q -B -f "$pom" dependency:copy-dependencies -DoutputDirectory="$dir" ||
    fail "Maven could not fetch the jars that $pom names: is Maven Central reachable?"
  compgen -G "$dir/connect-runtime-*.jar" > /dev/null || fail "Maven said nothing, and no jar is in $dir"
  : > "$dir/.complete"
}

# buf, which lints the protos, into DIR, once.
install_buf() {
  local dir=$1
  [ -x "$dir/node_modules/.bin/buf" ] || {
    command -v npm > /dev/null || install_packages npm
    say "fetching buf from npm (once)"
    npm install --silent --no-audit --no-fund --prefix "$dir" @bufbuild/buf@1.75.0 > /dev/null ||
      fail "npm could not install @bufbuild/buf"
  }
}
