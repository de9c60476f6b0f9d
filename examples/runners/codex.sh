#!/bin/sh
# Codex, without questions, in a git worktree: see worktree.sh for its environment. Its sandbox lets it write in the worktree
# alone, without the network, whatever ALLOWED_COMMANDS says.
. "$(dirname "$0")/worktree.sh"

# Without the tracker's tools it would work for nothing.
work codex exec --json --sandbox workspace-write \
  --config "mcp_servers.tracker.url=\"$MCP_URL\"" \
  --config 'mcp_servers.tracker.bearer_token_env_var="TRACKER_TOKEN"' \
  --config "mcp_servers.tracker.http_headers={\"X-Tracker-Session\"=\"run:$TRACKER_RUN\"}" \
  --config mcp_servers.tracker.required=true --config mcp_servers.tracker.startup_timeout_sec=60 \
  --config 'mcp_servers.tracker.default_tools_approval_mode="approve"' -
