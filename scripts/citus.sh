#!/usr/bin/env bash
# A Citus cluster for tests and benchmarks: a coordinator and two workers, each a server of scripts/postgres.sh.
#
#   scripts/citus.sh start [--fast] DIR [PORT]
#                               starts what does not run yet; the coordinator's port is a free one unless named;
#                               prints the URL of its database, which has Citus and both workers, and nothing else
#   scripts/citus.sh stop DIR   stops all three; the data stay
#   scripts/citus.sh suite [FILE…]
#                               npm test, of these files only where some are given, on a cluster that is then removed
#
# Exits with 3 where Citus is not installed. One node's data are in DIR/coordinator, DIR/worker-1 or DIR/worker-2.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=/usr/lib/postgresql/15/bin
nodes=(coordinator worker-1 worker-2)
settings=(
  shared_preload_libraries=citus
  # The nodes are on one machine, and without certificates.
  citus.node_conninfo=sslmode=disable
  citus.enable_statistics_collection=off
  # As docs/citus.md asks for.
  citus.enable_unsafe_triggers=on
  citus.propagate_set_commands=local
  jit=off
  # Every database has a background process of Citus: the tests have one each.
  max_worker_processes=100
  # And it keeps connections to each node.
  max_connections=500
  # A node counts the deadlocks that it finds itself, within a second: the cluster looks for them later.
  citus.distributed_deadlock_detection_factor=20
)

die () { echo "citus.sh: $*" >&2; exit 1; }

is_running () { [ -e "$1/postmaster.pid" ] && kill -0 "$(head -n 1 "$1/postmaster.pid")" 2> /dev/null; }

ask () { "$bin/psql" --no-psqlrc --quiet --tuples-only --no-align -v ON_ERROR_STOP=1 -d "$@" > /dev/null; }

# The coordinator knows the workers by their ports: a cluster keeps those of its first start.
start () {
  local options=()
  if [ "${1-}" = --fast ]; then options=(--fast); shift; fi
  local dir=${1-} port=${2-} new=no node url urls=()
  [ -n "$dir" ] || die "start: in which directory?"
  if [ ! -e "$("$bin/pg_config" --sharedir 2> /dev/null)/extension/citus.control" ]; then
    echo "citus.sh: Citus is not installed in PostgreSQL 15 (https://docs.citusdata.com): no cluster was started." >&2
    exit 3
  fi
  mkdir -p "$dir"
  dir=$(realpath "$dir")
  chmod a+rx "$dir"
  [ -e "$dir/worker-2.url" ] || new=yes
  for node in "${nodes[@]}"; do
    if [ -e "$dir/$node.url" ]; then port=$(sed -E 's/.*:([0-9]+).*/\1/' "$dir/$node.url"); fi
    if ! is_running "$dir/$node"; then
      # A server keeps the output open that it inherits: a file takes it.
      POSTGRES_SETTINGS="${settings[*]}" scripts/postgres.sh start "${options[@]}" "$dir/$node" ${port:+"$port"} \
        > "$dir/$node.new"
      mv "$dir/$node.new" "$dir/$node.url"
    fi
    urls+=("$(cat "$dir/$node.url")")
    port=
  done
  if [ "$new" = yes ]; then
    for url in "${urls[@]}"; do ask "$url" -c 'create extension citus'; done
    ask "${urls[0]}" -c "select citus_set_coordinator_host('127.0.0.1', current_setting('port')::int)"
    for url in "${urls[@]:1}"; do
      ask "${urls[0]}" -c "select citus_add_node('127.0.0.1', $(sed -E 's/.*:([0-9]+).*/\1/' <<< "$url"))"
    done
  fi
  echo "${urls[0]}"
}

stop () {
  local node
  [ -e "${1-}/coordinator.url" ] || die "stop: which cluster? ${1:-No directory} holds none"
  for node in "${nodes[@]}"; do
    if is_running "$1/$node"; then scripts/postgres.sh stop "$1/$node"; fi
  done
}

suite () {
  cluster=$(mktemp -d)
  trap '[ ! -e "$cluster/coordinator.url" ] || stop "$cluster"; rm -rf "$cluster"' EXIT
  trap 'exit 130' INT TERM HUP
  TEST_DATABASE_URL=$(start --fast "$cluster")
  export TEST_DATABASE_URL
  # A cluster does the work of three servers: fewer files at once than elsewhere.
  npm test -- --jobs=3 "$@"
}

case "${1-}" in
  start | stop | suite) "$@" ;;
  *) die "usage: $0 start [--fast] DIR [PORT] | stop DIR | suite [FILE…]" ;;
esac
