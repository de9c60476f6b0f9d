#!/bin/sh
# Any agent, in a git worktree: see worktree.sh for its environment.
#
#   AGENT_COMMAND  a shell command that reads the task on standard input; $MCP_CONFIG names a file with the MCP server in the
#                  format of `.mcp.json`, in which ${TRACKER_TOKEN} stands for the token
. "$(dirname "$0")/worktree.sh"

work sh -c "$AGENT_COMMAND"
