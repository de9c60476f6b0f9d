#!/bin/sh
# The smallest runner: reads the task, posts a note and closes the issue with it, in one request.
# It needs sh and curl. See examples/README.md for how a server is told of it.
set -eu

lines=$(wc -l | tr -d ' ') # the task, in markdown, is on standard input

call () { curl --silent --show-error --fail-with-body --header "Authorization: Bearer $TRACKER_TOKEN" --header 'Content-Type: application/json' "$@"; }

# `"teamId":"…"` of the issue, then the `"id":"…"` of the first of the team's states that is COMPLETED.
team=$(call "$TRACKER_URL/v1/issues/$TRACKER_ISSUE" | tr ',{' '\n\n' | sed -n 's/^ *"teamId" *: *"\([^"]*\)".*/\1/p' | head -n 1)
done=$(call "$TRACKER_URL/v1/$team/workflows" | tr '{' '\n' | sed -n 's/.*"id" *: *"\([^"]*\)".*"category" *: *"COMPLETED".*/\1/p' | head -n 1)

call "$TRACKER_URL/v1/issue_comments?issueId=$TRACKER_ISSUE" \
  --data "{\"bodyMarkdown\": \"Read all $lines lines of the task; nothing more was to do.\", \"stateId\": \"$done\"}" > /dev/null

echo "Closed $TRACKER_ISSUE."
