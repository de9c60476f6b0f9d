import { Closed, writeScope } from 'tracker/api'
import { Task } from 'tracker/contracts/issues'
import { tool, type Tool } from 'tracker/contracts/mcp'

export const tools: Tool[] = [
  tool({
    name: 'vote_for_task',
    description: 'Vote for a task that you need, too. Returns how many votes it has.',
    scope: writeScope,
    hints: { readOnly: false, destructive: false, idempotent: true },
    input: Closed({ task: Task }),
    handle: ({ task }, { rest }) => rest<{ votes: number }>('POST', `/v1/votes?issueId=${encodeURIComponent(task)}`)
  })
]
