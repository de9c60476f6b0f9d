#!/bin/sh
# opencode, without questions, in a git worktree: see worktree.sh for its environment.
. "$(dirname "$0")/worktree.sh"

allowed=$(allowed_commands | sed 's/["\\]/\\&/g; s/.*/, "&*": "allow"/' | tr -d '\n')
export OPENCODE_CONFIG="$worktree.opencode.json"
cat > "$OPENCODE_CONFIG" <<JSON
{"mcp": {"tracker": {"type": "remote", "url": "$MCP_URL", "enabled": true, "oauth": false,
  "headers": {"Authorization": "Bearer {env:TRACKER_TOKEN}", "X-Tracker-Session": "run:$TRACKER_RUN"}}},
 "permission": {"edit": "allow", "external_directory": "deny", "bash": {"*": "deny"$allowed}}}
JSON
work opencode run --format json
