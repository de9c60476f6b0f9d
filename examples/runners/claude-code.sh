#!/bin/sh
# Claude Code, without questions, in a git worktree: see worktree.sh for its environment.
. "$(dirname "$0")/worktree.sh"

# Each beginning of a command is a permission of its own: `npm test` is Bash(npm test:*).
tools=mcp__tracker$(allowed_commands | sed 's/.*/,Bash(&:*)/' | tr -d '\n')
# It would begin before the tracker's tools are there.
export MCP_CONNECTION_NONBLOCKING=false
work claude --print --output-format stream-json --verbose --mcp-config "$MCP_CONFIG" --strict-mcp-config \
  --permission-mode acceptEdits --allowedTools "$tools"
