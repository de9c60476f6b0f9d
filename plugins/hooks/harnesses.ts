import type { Harness } from './contract.ts'

/** What a client sends; every field is optional and may be anything. */
export interface HookInput {
  session_id?: unknown
  conversation_id?: unknown
  source?: unknown
  stop_hook_active?: unknown
  status?: unknown
}

/** The format of a client's hooks. Answer exactly the fields below: some clients refuse unknown or missing ones. */
interface HarnessFormat {
  /** The field that names its session. */
  session(input: HookInput): unknown
  /** The answer that puts a text into the agent's context. */
  addContext(event: 'SessionStart' | 'UserPromptSubmit', text: string): object
  /** Whether an answer to this stop event can make the agent continue. */
  canContinue(input: HookInput): boolean
  /** The answer that makes the agent continue with this text. */
  continueWith(text: string): object
}

/** The answer that changes nothing, for every client. */
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
  }
}
