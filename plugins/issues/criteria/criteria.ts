import { Type, type Static } from 'typebox'
import { Closed } from '../../../core/api/schemas.ts'

const criterionRef = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1, maxLength: 10_000 })])
type CriterionRef = Static<typeof criterionRef>

const criterionWithEvidence = Type.Union([
  criterionRef,
  Closed({
    criterion: criterionRef,
    evidence: Type.String({
      pattern: '\\S',
      maxLength: 2_000,
      description: 'Markdown: what shows that it is met, such as a test and a commit.'
    })
  })
])
export type MetCriterion = Static<typeof criterionWithEvidence>

const maxItems = 500
const withEvidence = Type.Array(criterionWithEvidence, {
  maxItems,
  description: 'Checklist items to tick: numbers, texts, or `{criterion, evidence}`.'
})
const withoutEvidence = Type.Array(criterionRef, {
  maxItems,
  description: 'Checklist items to tick: numbers or texts.'
})
export const metCriteria = (takesEvidence: boolean) => (takesEvidence ? withEvidence : withoutEvidence)
export const criteriaTicks = (takesEvidence: boolean) =>
  Closed({
    met: Type.Optional(metCriteria(takesEvidence)),
    unmet: Type.Optional(Type.Array(criterionRef, { maxItems }))
  })

export const refOf = (met: MetCriterion): CriterionRef => (typeof met === 'object' ? met.criterion : met)

export const hasTicks = ({ met, unmet }: Record<'met' | 'unmet', readonly unknown[]>): boolean =>
  met.length + unmet.length > 0

/** The evidence of a request, by criterion number. @param metNumbers of those in `met`, in its order */
export const evidenceIn = (
  met: readonly MetCriterion[],
  { metNumbers }: { metNumbers: readonly number[] }
): ReadonlyMap<number, string> =>
  new Map(met.flatMap((one, index) => (typeof one === 'object' ? [[metNumbers[index]!, one.evidence] as const] : [])))

export interface CriterionItem {
  text: string
  met: boolean
}
export interface TickedItems {
  items: readonly CriterionItem[]
  evidence: ReadonlyMap<number, string>
  /** The numbers of the criteria that the request ticks, if it says so. */
  ticked: ReadonlySet<number>
}
