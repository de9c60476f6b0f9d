import { Type } from 'typebox'
import { Closed } from '../../core/api/schemas.ts'
import { HARNESSES } from './contract.ts'

export const Query = Closed({
  harness: Type.Enum([...HARNESSES], { description: 'The client: it decides the format of the answer.' })
})

/** Accepts any input: unknown, missing and invalid fields are ignored. */
export const Input = Type.Object(
  {
    session_id: Type.Optional(
      Type.Unknown({
        description:
          'The session (cursor: `conversation_id`): printable ASCII without spaces, at most 200 characters. ' +
          'Any other value counts as none.'
      })
    ),
    conversation_id: Type.Optional(Type.Unknown()),
    source: Type.Optional(
      Type.Unknown({ description: 'At the start: `compact` continues the session, any other value begins it.' })
    ),
    stop_hook_active: Type.Optional(Type.Unknown({ description: 'At stop: `true` is answered with `{}`.' })),
    status: Type.Optional(
      Type.Unknown({ description: 'At stop, cursor: only `completed` is answered with a message.' })
    )
  },
  { additionalProperties: true, description: 'The input of the client’s hook, unchanged.' }
)

const Told = Type.Union([
  Closed({}, { description: 'Continue: there is no reminder.' }),
  Closed(
    {
      hookSpecificOutput: Closed({
        hookEventName: Type.Enum(['SessionStart', 'UserPromptSubmit', 'BeforeAgent']),
        additionalContext: Type.String()
      })
    },
    { description: 'claude-code, codex, gemini' }
  ),
  Closed({ additional_context: Type.String() }, { description: 'cursor' })
])
const Held = Type.Union([
  Closed({}, { description: 'Stop: there is no reminder.' }),
  Closed({ decision: Type.Literal('block'), reason: Type.String() }, { description: 'claude-code, codex' }),
  Closed({ decision: Type.Literal('deny'), reason: Type.String() }, { description: 'gemini' }),
  Closed({ followup_message: Type.String() }, { description: 'cursor' })
])
export const Answers = { told: Told, held: Held }
