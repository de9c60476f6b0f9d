import { Type } from 'typebox'
import { Closed } from '../../../core/api/schemas.ts'

/** As models guess the argument `task`. */
const aliases = ['key', 'id', 'issue', 'issueId', 'issueKey', 'taskId', 'taskKey']

export const TaskOr = (description: string) => Type.String({ description, reads: 'task', aliases })
export const Task = TaskOr('Key or id.')

export const Tasks = (description: string) => Type.Optional(Type.Array(Type.String({ reads: 'task' }), { description }))

/** Prose; `aliases` are other names, unambiguous in the tool. */
export const Prose = (description: string, aliases: readonly string[] = []) =>
  Type.String({ description, reads: 'markdown', aliases })

export const Session = Type.Optional(Type.String({ description: 'Your session.' }))

const criterionRefs = [Type.Integer({ minimum: 1 }), Type.String({ minLength: 1 })]
const metWithEvidence = Closed({
  // A number may be sent as text, too.
  criterion: Type.String({ minLength: 1, aliases: ['text', 'n', 'number'] }),
  evidence: Type.String({ reads: 'markdown' })
})

export const Met = (takesEvidence: boolean) =>
  takesEvidence
    ? Type.Optional(
        Type.Array(
          Type.Union([...criterionRefs, metWithEvidence], {
            description: 'The number of a criterion, from 1, its text, or {criterion, evidence}.',
            reads: 'criterion'
          }),
          { description: 'Numbers, texts or {criterion, evidence}.' }
        )
      )
    : Criteria('Numbers or texts.')

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
