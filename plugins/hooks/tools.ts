import { Type } from 'typebox'
import { Closed } from '../../core/api/schemas.ts'
import { readScope } from '../../core/api/scopes.ts'
import { tool, type Tool } from '../mcp/contract.ts'
import type { Harness } from './contract.ts'

/** The clients whose hooks can call tools. */
export const TOOL_HARNESSES = ['claude-code', 'codex', 'cursor'] as const satisfies readonly Harness[]

/** For clients whose hooks call tools: the text of the result is the hook's output. */
const hook = (name: string, event: string, description: string): Tool =>
  tool({
    name,
    description,
    input: Closed({
      session_id: Type.String({ description: "The client's." }),
      harness: Type.Enum([...TOOL_HARNESSES], { description: 'Which client.' })
    }),
    scope: readScope,
    hints: { readOnly: true, destructive: false, idempotent: false },
    // Such a hook does not report how the turn ended; it is called when the turn is complete.
    handle: ({ harness, ...session }, { rest }) =>
      rest<object>('POST', `/v1/agent-hooks/${event}?harness=${harness}`, { ...session, status: 'completed' })
  })

export const tools: readonly Tool[] = [
  hook('hook_prompt_submit', 'prompt', "Only for the client's prompt hook. Returns its output."),
  hook('hook_stop', 'stop', "Only for the client's stop hook. Returns its output.")
]
