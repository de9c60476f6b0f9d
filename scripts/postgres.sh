#!/usr/bin/env bash
# A PostgreSQL 15 with pgvector for tests and benchmarks, on Debian; and PgBouncer, for the tests of it.
#
#   scripts/postgres.sh install               what is missing: the server and the extension (as root)
#   scripts/postgres.sh install_pgbouncer     PgBouncer, unless one that is new enough is in the PATH (as root)
#   scripts/postgres.sh start [--fast] [DIR] [PORT]
#                                             a cluster in DIR (default: a new temporary one), on a port of
#                                             127.0.0.1 (default: a free one); prints its URL and nothing else, also
#                                             of one that runs there already
#   scripts/postgres.sh stop DIR              stops it; the data stay
#
# --fast gives up durability for speed: right for tests, wrong for whatever measures or proves durability.
# POSTGRES_SETTINGS has further settings of the server: name=value, separated by spaces.
# Everybody on this machine may connect to it without a password: never use it for data that matter.
set -euo pipefail

version=15
bin=/usr/lib/postgresql/$version/bin
extension=/usr/share/postgresql/$version/extension/vector.control

die () { echo "postgres.sh: $*" >&2; exit 1; }

# The server refuses to run as root, so root hands it to the packages' own user.
unprivileged () {
  if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

install_server () {
  apt-get update -q
  # RUNLEVEL=1: do not start the cluster that the package makes for itself.
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
    "postgresql-$version" "postgresql-server-dev-$version" build-essential dpkg-dev
}

# build_next PACKAGE COMMAND...: Debian 12 has neither pgvector 0.8 nor PgBouncer 1.21, the next release has: its source
# package is built here, by a command that is run in it. The machine's own mirror serves it too, so its first source is
# read with another suite; apt's own lists stay as they are.
build_next () {
  local work package=$1
  shift
  work=$(mktemp -d)
  mkdir -p "$work/sources.d" "$work/lists/partial" "$work/cache" "$work/source"
  awk '/^[[:space:]]*$/ { if (seen) exit; next } !/^#/ { seen = 1; print }' /etc/apt/sources.list.d/debian.sources |
    sed -e 's/^Types:.*/Types: deb-src/' -e 's/^Suites:.*/Suites: trixie/' > "$work/sources.d/next.sources"
  local apt=(apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/sources.d"
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
  (
    cd "$work/source"
    "${apt[@]}" update
    "${apt[@]}" source "$package"
    cd "$package"-*/
    "$@"
  )
  rm -rf "$work"
}

# Without LLVM: bitcode serves only JIT compilation, which the application turns off.
make_pgvector () {
  make -s PG_CONFIG="$bin/pg_config" with_llvm=no
  make -s PG_CONFIG="$bin/pg_config" with_llvm=no install
}

make_pgbouncer () {
  ./configure -q --without-cares --without-pam --without-systemd
  make -s pgbouncer
  command install -m 755 pgbouncer /usr/local/bin/pgbouncer
}

# PgBouncer knows prepared statements in transaction mode since 1.21.
has_pgbouncer () {
  local version
  version=$(pgbouncer --version 2> /dev/null | sed -n 's/^PgBouncer //p')
  [ -n "$version" ] && printf '1.21\n%s\n' "$version" | sort --version-sort --check=quiet
}

install_pgbouncer () {
  has_pgbouncer && return
  [ "$(id -u)" = 0 ] || die "PgBouncer 1.21 or newer is not installed; run this once as root: $0 install_pgbouncer"
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
    build-essential dpkg-dev pkg-config libevent-dev libssl-dev
  build_next pgbouncer make_pgbouncer
}

install () {
  local server=no
  [ -x "$bin/postgres" ] && [ -e "/usr/include/postgresql/$version/server/postgres.h" ] && server=yes
  [ "$server" = yes ] && [ -e "$extension" ] && return
  [ "$(id -u)" = 0 ] || die "PostgreSQL $version with pgvector is not installed; run this once as root: $0 install"
  [ "$server" = yes ] || install_server >&2
  [ -e "$extension" ] || build_next pgvector make_pgvector >&2
}

free_port () {
  local port
  while port=$((20000 + RANDOM % 12000)); (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null; do :; done
  echo "$port"
}

start () {
  local settings=(max_connections=200 listen_addresses=127.0.0.1 unix_socket_directories=)
  if [ "${1-}" = --fast ]; then
    settings+=(fsync=off synchronous_commit=off full_page_writes=off)
    shift
  fi
  # shellcheck disable=SC2206 -- split at spaces
  settings+=(${POSTGRES_SETTINGS-})
  local dir=${1:-$(mktemp -d)} port=${2:-$(free_port)} new=no setting options
  install
  mkdir -p "$dir"
  dir=$(realpath "$dir")
  if unprivileged "$bin/pg_ctl" status --pgdata="$dir" > /dev/null 2>&1; then
    echo "postgres://tracker@127.0.0.1:$(sed -n 4p "$dir/postmaster.pid")/tracker"
    return
  fi
  [ "$(id -u)" != 0 ] || chown postgres: "$dir"
  if [ ! -e "$dir/PG_VERSION" ]; then
    new=yes
    unprivileged "$bin/initdb" --pgdata="$dir" --username=tracker --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync > /dev/null
  fi
  options="-p $port"
  for setting in "${settings[@]}"; do options+=" -c $setting"; done
  unprivileged "$bin/pg_ctl" start --wait --pgdata="$dir" --log="$dir/server.log" --options="$options" > /dev/null ||
    die "the server did not start; see $dir/server.log"
  [ "$new" = no ] || unprivileged "$bin/createdb" -h 127.0.0.1 -p "$port" -U tracker tracker
  echo "postgres://tracker@127.0.0.1:$port/tracker"
}

stop () {
  [ -e "${1-}/PG_VERSION" ] || die "stop: which cluster? ${1:-No directory} holds none"
  unprivileged "$bin/pg_ctl" stop --wait --mode=fast --pgdata="$(realpath "$1")" > /dev/null
}

case "${1-}" in
  install | install_pgbouncer | start | stop) "$@" ;;
  *) die "usage: $0 install | install_pgbouncer | start [--fast] [DIR] [PORT] | stop DIR" ;;
esac
