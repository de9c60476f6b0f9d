import { Type, type Static } from 'typebox'
import { Closed } from '../../../core/api/schemas.ts'

/** Characters of markdown that show that a criterion is met. */
const MAX_EVIDENCE_LENGTH = 2_000

/** A checklist item: by its number (from 1) or its text. */
const criterionRef = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1, maxLength: 10_000 })])
type CriterionRef = Static<typeof criterionRef>

/** A checklist item to tick, with what shows that it is met where there is something. */
const metCriterion = Type.Union([
  criterionRef,
  Closed({
    criterion: criterionRef,
    evidence: Type.String({
      // Not of white space alone.
      pattern: '\\S',
      maxLength: MAX_EVIDENCE_LENGTH,
      description: 'Markdown: what shows that it is met, such as a test and a commit.'
    })
  })
])
export type MetCriterion = Static<typeof metCriterion>

/** The field `met` of a body. */
export const MetCriteria = Type.Array(metCriterion, {
  maxItems: 500,
  description: 'Checklist items to tick: numbers, texts, or `{criterion, evidence}`.'
})
export const UnmetCriteria = Type.Array(criterionRef, { maxItems: 500 })

export const refOf = (met: MetCriterion): CriterionRef => (typeof met === 'object' ? met.criterion : met)

/** Whether there is anything to tick, or to tick no longer. */
export const hasTicks = ({
  met = [],
  unmet = []
}: {
  met?: readonly unknown[] | undefined
  unmet?: readonly unknown[] | undefined
}): boolean => met.length + unmet.length > 0
