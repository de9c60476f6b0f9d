# Sourced by the runners beside it. It makes a git worktree of its own for the run and goes there; `work COMMAND…` runs an
# agent in it, with the task on standard input, and ends the runner.
#
#   REPOSITORY        the git repository to work in
#   ALLOWED_COMMANDS  what the agent may run, beside git's add, commit, diff, log, merge and status: the beginnings of
#                     commands, separated by commas, e.g. `npm test,npm run lint`
#   PUBLISH_COMMAND   publishes the branch $BRANCH, e.g. `git push --quiet origin "$BRANCH" && gh pr create --fill --head "$BRANCH"`;
#                     the last address that it prints is the result's
#
# Uncommitted work of the agent is committed to the branch `tracker/<issue>-<run>`, which the run reports as its result.
# An agent that leaves nothing behind, neither work nor a note nor a closed issue, has failed: exit code 3.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
export BRANCH="tracker/$TRACKER_ISSUE-$TRACKER_RUN"
worktree=$(mktemp -d)/$TRACKER_ISSUE
git -C "$REPOSITORY" worktree add --quiet -b "$BRANCH" "$worktree"
start=$(git -C "$worktree" rev-parse HEAD)

clean () {
  cd /
  end=$(git -C "$worktree" rev-parse HEAD)
  git -C "$REPOSITORY" worktree remove --force "$worktree"
  rm -rf "$(dirname "$worktree")"
  [ "$end" != "$start" ] || git -C "$REPOSITORY" branch --quiet -D "$BRANCH"
}
trap clean EXIT
trap 'exit 143' TERM INT

call () {
  curl --silent --show-error --fail-with-body --header "Authorization: Bearer $TRACKER_TOKEN" \
    --header 'Content-Type: application/json' "$@"
}
json () { # json NAME VALUE…: an object of these texts
  node -e 'const a = process.argv.slice(1), o = {}; while (a.length) o[a.shift()] = a.shift(); console.log(JSON.stringify(o))' "$@"
}
comments="$TRACKER_URL/v1/issue_comments?issueId=$TRACKER_ISSUE"
note () { call "$comments" --data "$(json bodyMarkdown "$1")" > /dev/null; }
me=$(call "$TRACKER_URL/v1/users/me" | sed 's/.*"id":"\([^"]*\)","fullname".*/\1/')
count_notes () { call "$comments" | grep -o "\"author\":{\"id\":\"$me\"" | wc -l; }
is_closed () { call "$TRACKER_URL/v1/issues/$TRACKER_ISSUE?view=list" | grep -Eq '"stateCategory":"(COMPLETED|CANCELED)"'; }
notes=$(count_notes)

allowed_commands () { # a line for each
  printf '%s' "git add,git commit,git diff,git log,git merge,git status,${ALLOWED_COMMANDS:-}" | tr ',' '\n' | sed -n 's/^ *\(.*[^ ]\) *$/\1/p'
}

# The token stays in the environment: clients put it in when they connect. Their files are beside the worktree, so that
# they are not committed.
export MCP_URL="$TRACKER_URL/v1/mcp" MCP_CONFIG="$worktree.mcp.json"
cat > "$MCP_CONFIG" <<JSON
{"mcpServers": {"tracker": {"type": "http", "url": "$MCP_URL", "headers": {"Authorization": "Bearer \${TRACKER_TOKEN}", "X-Tracker-Session": "run:$TRACKER_RUN"}}}}
JSON

cd "$worktree"
if ! git config user.email > /dev/null; then
  export GIT_AUTHOR_NAME=tracker GIT_AUTHOR_EMAIL=tracker@localhost GIT_COMMITTER_NAME=tracker GIT_COMMITTER_EMAIL=tracker@localhost
fi

work () {
  # The server reads steps and usage from what the agent writes while it works; what it said last stands in a file.
  { "$@" || echo $? > "$worktree.status"; } | node "$here/agent-output.ts" "$worktree.said"
  status=$(cat "$worktree.status" 2> /dev/null || echo 0)
  said=$(cat "$worktree.said")

  recorded=$(is_closed || [ "$(count_notes)" -gt "$notes" ] && echo yes || echo no)
  git add --all
  git diff --cached --quiet || git commit --quiet --message "$TRACKER_ISSUE: work of run $TRACKER_RUN"
  if [ "$(git rev-parse HEAD)" != "$start" ]; then
    report
  elif [ "$recorded" = no ] && [ "$status" -eq 0 ]; then
    note "The agent ended without any work, note or resolution. It said last:

${said:-(nothing)}"
    echo "The agent ended without any work, note or resolution." >&2
    status=3
  fi
  exit "$status"
}

report () { # people accept the result, or send it back
  set -- branch "$BRANCH"
  text="The work is on the branch \`$BRANCH\`."
  if [ -n "${PUBLISH_COMMAND:-}" ]; then
    if sh -c "$PUBLISH_COMMAND" > "$worktree.published"; then
      address=$(grep -Eo 'https?://[^[:space:]]+' "$worktree.published" | tail -n 1)
      [ -z "$address" ] || { set -- "$@" url "$address"; text="$text See $address"; }
    else
      text="$text It could not be published."
    fi
  fi
  # A server of an earlier version has no results.
  call "$TRACKER_URL/v1/agent_runs/$TRACKER_RUN/result" --data "$(json "$@")" > /dev/null 2>&1 || true
  note "$text"
  echo "$text"
}
