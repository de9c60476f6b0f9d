import type { Harness } from './contract.ts'

/** A client's input: every field is optional and may have any type. */
export interface HookInput {
  session_id?: unknown
  conversation_id?: unknown
  source?: unknown
  stop_hook_active?: unknown
  status?: unknown
}

/** The format of a client's hooks. Answers have exactly these fields: some clients refuse unknown or missing ones. */
interface HarnessFormat {
  session(input: HookInput): unknown
  /** Adds a text to the agent's context. */
  addContext(event: 'SessionStart' | 'UserPromptSubmit', text: string): object
  /** True if an answer to this stop event can make the agent continue. */
  canContinue(input: HookInput): boolean
  continueWith(text: string): object
}

export const NOTHING = {}

const withDecisions: HarnessFormat = {
  session: ({ session_id: id, conversation_id: other }) => id ?? other,
  addContext: (hookEventName, additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } }),
  canContinue: () => true,
  continueWith: reason => ({ decision: 'block', reason })
}

export const FORMATS: Record<Harness, HarnessFormat> = {
  'claude-code': withDecisions,
  codex: withDecisions,
  cursor: {
    session: ({ session_id: other, conversation_id: id }) => id ?? other,
    addContext: (_event, text) => ({ additional_context: text }),
    // This client stops in any case: the text becomes the next message, unless the turn was interrupted.
    canContinue: ({ status }) => status === 'completed',
    continueWith: text => ({ followup_message: text })
  },
  gemini: {
    ...withDecisions,
    addContext: (event, additionalContext) => ({
      hookSpecificOutput: {
        hookEventName: event === 'SessionStart' ? 'SessionStart' : 'BeforeAgent',
        additionalContext
      }
    }),
    continueWith: reason => ({ decision: 'deny', reason })
  }
}
