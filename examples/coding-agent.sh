#!/bin/sh
# Starts a coding agent's command line on the task, in a fresh git worktree, with this tracker as its MCP server.
#
#   REPOSITORY        the git repository to work in
#   ALLOWED_COMMANDS  what the agent may run, beside git's add, commit, diff, log and status: the beginnings of
#                     commands, separated by commas, e.g. `npm test,npm run lint`
#   AGENT_COMMAND     another agent, reading the task on standard input; default: Claude Code, without questions
#   AGENT_FORMAT      what the agent writes: `text`, or `stream-json` as Claude Code does
#
# What the agent leaves behind is committed to the branch `tracker/<issue>-<run>`, and a note on the issue names it.
# An agent that leaves nothing behind, neither work nor a note nor a closed issue, has failed: exit code 3.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
branch="tracker/$TRACKER_ISSUE-$TRACKER_RUN"
worktree=$(mktemp -d)/$TRACKER_ISSUE
git -C "$REPOSITORY" worktree add --quiet -b "$branch" "$worktree"
start=$(git -C "$worktree" rev-parse HEAD)

clean () {
  cd /
  end=$(git -C "$worktree" rev-parse HEAD)
  git -C "$REPOSITORY" worktree remove --force "$worktree"
  rm -rf "$(dirname "$worktree")"
  [ "$end" != "$start" ] || git -C "$REPOSITORY" branch --quiet -D "$branch"
}
trap clean EXIT
trap 'exit 143' TERM INT

call () {
  curl --silent --show-error --fail-with-body --header "Authorization: Bearer $TRACKER_TOKEN" \
    --header 'Content-Type: application/json' "$@"
}
comments="$TRACKER_URL/v1/issue_comments?issueId=$TRACKER_ISSUE"
note () { # adds a note; its text is JSON once node has quoted it
  body=$(node -e 'process.stdout.write(JSON.stringify({ bodyMarkdown: process.argv[1] }))' "$1")
  call "$comments" --data "$body" > /dev/null
}
me=$(call "$TRACKER_URL/v1/users/me" | sed 's/.*"id":"\([^"]*\)","fullname".*/\1/')
count_notes () { call "$comments" | grep -o "\"author\":{\"id\":\"$me\"" | wc -l; }
is_closed () { call "$TRACKER_URL/v1/issues/$TRACKER_ISSUE?view=list" | grep -Eq '"stateCategory":"(COMPLETED|CANCELED)"'; }
notes=$(count_notes)

# The token stays in the environment: the client puts it in when it connects. Beside the worktree, so that it is not committed.
export MCP_CONFIG="$worktree.mcp.json"
cat > "$MCP_CONFIG" <<JSON
{"mcpServers": {"tracker": {"type": "http", "url": "$TRACKER_URL/v1/mcp", "headers": {"Authorization": "Bearer \${TRACKER_TOKEN}", "X-Tracker-Session": "run:$TRACKER_RUN"}}}}
JSON

# Each beginning of a command is a permission of its own: `npm test` is Bash(npm test:*).
ALLOWED_TOOLS=mcp__tracker$(printf '%s' "git add,git commit,git diff,git log,git status,${ALLOWED_COMMANDS:-}" |
  tr ',' '\n' | sed -n 's/^ *\(.*[^ ]\) *$/,Bash(\1:*)/p' | tr -d '\n')
export ALLOWED_TOOLS
if [ -z "${AGENT_COMMAND:-}" ]; then
  AGENT_COMMAND='claude --print --output-format stream-json --verbose --mcp-config "$MCP_CONFIG" --strict-mcp-config --permission-mode acceptEdits --allowedTools "$ALLOWED_TOOLS"'
  : "${AGENT_FORMAT:=stream-json}"
fi

cd "$worktree"
if ! git config user.email > /dev/null; then
  export GIT_AUTHOR_NAME=tracker GIT_AUTHOR_EMAIL=tracker@localhost GIT_COMMITTER_NAME=tracker GIT_COMMITTER_EMAIL=tracker@localhost
fi
# What the agent does is seen in the run's log while it does it; what it said last stands in a file.
{ sh -c "$AGENT_COMMAND" || echo $? > "$worktree.status"; } |
  node "$here/agent-output.ts" "${AGENT_FORMAT:-text}" "$worktree.said"
status=$(cat "$worktree.status" 2> /dev/null || echo 0)
said=$(cat "$worktree.said")

recorded=$(is_closed || [ "$(count_notes)" -gt "$notes" ] && echo yes || echo no)
git add --all
git diff --cached --quiet || git commit --quiet --message "$TRACKER_ISSUE: work of run $TRACKER_RUN"
if [ "$(git rev-parse HEAD)" != "$start" ]; then
  note "The work is on the branch \`$branch\`."
  echo "The work is on the branch $branch."
elif [ "$recorded" = no ] && [ "$status" -eq 0 ]; then
  note "The agent ended without any work, note or resolution. It said last:

${said:-(nothing)}"
  echo "The agent ended without any work, note or resolution." >&2
  status=3
fi
exit "$status"
