# Shared by .ci/run and .ci/nightly, which source this file from the project’s folder.
# They end with one line, "N passed, N failed": the assertions of all parts, a failed check counting as one.
set -uo pipefail
export CI=true
exec < /dev/null

passed=0
failed=0
work=$(mktemp -d)
chmod 755 "$work" # the database server runs as a user of its own

finish () {
  [ -z "${running:-}" ] || { kill "$running" && wait "$running"; } 2> /dev/null # timeout passes the signal on to all that it runs
  [ ! -e "$work/postgres/postmaster.pid" ] || scripts/postgres.sh stop "$work/postgres"
  [ ! -e "$work/citus/coordinator.url" ] || scripts/citus.sh stop "$work/citus"
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

check () {
  printf '\n== %s\n' "$*"
  "$@" || { failed=$((failed + 1)); echo "FAILED: $*"; }
}

# suite PART DATABASE [ARGUMENT…]: npm test of this part, on the database of TEST_DATABASE_URL or else the embedded one;
# its assertions are counted from the summary that ends tap's report. Shows what failed.
suite () {
  local part=$1 database=$2 report="$work/$1-$2.tap" status=0 pass fail
  shift 2
  printf '\n== npm test, the %s part, on %s\n' "$part" "$database"
  # In the background, for bash heeds a signal only between commands or while it waits.
  TEST_PART=$part timeout --kill-after=10 90m npm test -- --reporter=silent --output-file="$report" "$@" &
  running=$!
  wait "$running" || status=$?
  running=
  sed -n '/^ *not ok/,/^ *\.\.\.$/p' "$report"
  pass=$(grep -a '^# { total:' "$report" | tail -n 1 | grep -oP '\bpass: \K\d+' || echo 0)
  fail=$(grep -a '^# { total:' "$report" | tail -n 1 | grep -oP '\bfail: \K\d+' || echo 0)
  [ "$status" = 0 ] || [ "$fail" != 0 ] || fail=1 # it broke outside of an assertion
  echo "$pass passed, $fail failed in $((SECONDS / 60)) minutes since the start. The longest files, in seconds:"
  grep -aoP '^ *(not )?ok \d+ - \K\S+\.test\.ts # time=\d+(?=\d{3}\.)' "$report" | sed 's/ # time=/ /' | sort -k 2 -rn | head -n 15
  passed=$((passed + pass))
  failed=$((failed + fail))
}

on_postgres () {
  if TEST_DATABASE_URL=$(scripts/postgres.sh start --fast "$work/postgres"); then
    export TEST_DATABASE_URL
    "$@"
    unset TEST_DATABASE_URL
    scripts/postgres.sh stop "$work/postgres"
  else
    failed=$((failed + 1))
  fi
}

# Redis counts the rate limit of several replicas together; a test starts one.
install_redis () {
  command -v redis-server > /dev/null && return
  apt-get update -q && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends redis-server
}

# Where it cannot be installed, its tests are skipped.
install_pgbouncer () {
  scripts/postgres.sh install_pgbouncer || echo 'PgBouncer could not be installed: its tests are skipped.'
}

# The tests of the web interface run in it.
install_chromium () {
  command -v chromium-headless-shell > /dev/null && return
  apt-get update -q &&
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends chromium-headless-shell
}

# Real weights; without them the tests of what only these show are skipped.
fetch_model () {
  TEST_MODEL_DIR=$(scripts/model.sh) && export TEST_MODEL_DIR || echo 'No model could be fetched: its tests are skipped.'
}

fetch_multilingual_model () {
  TEST_MULTILINGUAL_MODEL_DIR=$(scripts/model.sh multilingual-e5-small) && export TEST_MULTILINGUAL_MODEL_DIR ||
    echo 'No multilingual model could be fetched: its test is skipped.'
}

install_all () {
  check npm ci
  check install_redis
  check install_pgbouncer
  check install_chromium
  check fetch_model
}

# The last line, and the exit code.
report () {
  echo
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}
