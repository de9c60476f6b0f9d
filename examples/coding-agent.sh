#!/bin/sh
# Starts a coding agent's command line on the task, in a fresh git worktree, with this tracker as its MCP server.
#
#   REPOSITORY      the git repository to work in
#   AGENT_COMMAND   the agent, reading the task on standard input; default: Claude Code, without questions
#
# What the agent leaves behind is committed to the branch `tracker/<issue>-<run>`, and a note on the issue names it.
set -eu

branch="tracker/$TRACKER_ISSUE-$TRACKER_RUN"
worktree=$(mktemp -d)/$TRACKER_ISSUE
git -C "$REPOSITORY" worktree add --quiet -b "$branch" "$worktree"
start=$(git -C "$worktree" rev-parse HEAD)
config=$worktree.mcp.json

clean () {
  cd /
  end=$(git -C "$worktree" rev-parse HEAD)
  git -C "$REPOSITORY" worktree remove --force "$worktree"
  rm -rf "$(dirname "$worktree")"
  [ "$end" != "$start" ] || git -C "$REPOSITORY" branch --quiet -D "$branch"
}
trap clean EXIT
trap 'exit 143' TERM INT

# The token stays in the environment: the client puts it in when it connects. Beside the worktree, so that it is not committed.
cat > "$config" <<JSON
{"mcpServers": {"tracker": {"type": "http", "url": "$TRACKER_URL/v1/mcp", "headers": {"Authorization": "Bearer \${TRACKER_TOKEN}", "X-Tracker-Session": "run:$TRACKER_RUN"}}}}
JSON

cd "$worktree"
export MCP_CONFIG="$config"
: "${AGENT_COMMAND:=claude --print --mcp-config \"\$MCP_CONFIG\" --strict-mcp-config --permission-mode acceptEdits --allowedTools mcp__tracker}"
status=0
sh -c "$AGENT_COMMAND" || status=$?

git add --all
git diff --cached --quiet || git -c user.name=tracker -c user.email=tracker@localhost commit --quiet --message "$TRACKER_ISSUE: work of run $TRACKER_RUN"
if [ "$(git rev-parse HEAD)" != "$start" ]; then
  curl --silent --show-error --fail-with-body --header "Authorization: Bearer $TRACKER_TOKEN" --header 'Content-Type: application/json' \
    "$TRACKER_URL/v1/issue_comments?issueId=$TRACKER_ISSUE" --data "{\"bodyMarkdown\": \"The work is on the branch \`$branch\`.\"}" > /dev/null
  echo "The work is on the branch $branch."
fi
exit "$status"
