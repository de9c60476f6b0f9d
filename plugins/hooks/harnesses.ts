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
  /** Where it names its session. */
  session(input: HookInput): unknown
  /** Puts text into the agent's context. */
  tell(event: 'SessionStart' | 'UserPromptSubmit', text: string): object
  /** Whether a text at stop would make the agent go on. */
  listensAtStop(input: HookInput): boolean
  /** Makes the agent go on with this text. */
  goOn(text: string): object
}

/** The answer that changes nothing, for every client. */
export const NOTHING = {}

const withDecisions: HarnessFormat = {
  session: ({ session_id: id, conversation_id: other }) => id ?? other,
  tell: (hookEventName, additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } }),
  listensAtStop: () => true,
  goOn: reason => ({ decision: 'block', reason })
}

export const FORMATS: Record<Harness, HarnessFormat> = {
  'claude-code': withDecisions,
  codex: withDecisions,
  cursor: {
    session: ({ session_id: other, conversation_id: id }) => id ?? other,
    tell: (_event, text) => ({ additional_context: text }),
    // The client cannot be kept from stopping: the text becomes the next message, unless the turn was interrupted.
    listensAtStop: ({ status }) => status === 'completed',
    goOn: text => ({ followup_message: text })
  }
}
