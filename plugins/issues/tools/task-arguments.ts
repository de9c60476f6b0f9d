import { Type } from 'typebox'
import { Closed } from '../../../core/api/schemas.ts'

/*
 * Arguments that the tools of several plugins have.
 */

/** What models call the argument `task` when they guess. */
const aliases = ['key', 'id', 'issue', 'issueId', 'issueKey', 'taskId', 'taskKey']

/** The argument that names an issue. */
export const Task = Type.String({ description: 'Key or id.', reads: 'task', aliases })

/** The same for a tool that has a word beside keys and ids. */
export const TaskOr = (description: string) => Type.String({ description, reads: 'task', aliases })

/** Issues beside that one. */
export const Tasks = (description: string) => Type.Optional(Type.Array(Type.String({ reads: 'task' }), { description }))

/** Prose; `aliases` are other names that mean nothing else in the tool. */
export const Prose = (description: string, aliases: readonly string[] = []) =>
  Type.String({ description, reads: 'markdown', aliases })

/** The argument that names the agent's session; it goes with each request of the call. */
export const Session = Type.Optional(Type.String({ description: 'Your session.' }))

/** A criterion that is named. */
const criterionRefs = [Type.Integer({ minimum: 1 }), Type.String({ minLength: 1 })]
const metWithEvidence = Closed({
  // A number may stand in the text, and be sent as one.
  criterion: Type.String({ minLength: 1, aliases: ['text', 'n', 'number'] }),
  evidence: Type.String({ reads: 'markdown' })
})

/** The argument that ticks criteria. */
export const Met = (takesEvidence: boolean) =>
  takesEvidence
    ? Type.Optional(
        Type.Array(
          Type.Union([...criterionRefs, metWithEvidence], {
            description: 'The number of a criterion, from 1, its text, or {criterion, evidence}.',
            reads: 'criterion'
          }),
          { description: 'To tick: numbers, texts or {criterion, evidence}.' }
        )
      )
    : Criteria('To tick: numbers or texts.')

/** Criteria that are named, and no more. */
export const Criteria = (description: string) =>
  Type.Optional(
    Type.Array(
      Type.Union(criterionRefs, {
        description: 'The number of a criterion, from 1, or its text.',
        reads: 'criterion'
      }),
      { description }
    )
  )
