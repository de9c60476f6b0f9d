/** `PROVEN`: also evidence for agents' ticks. */
export const CLOSING_CRITERIA = ['ANY', 'MET', 'PROVEN'] as const
export type ClosingCriteria = (typeof CLOSING_CRITERIA)[number]

export const closingRank = (rule: ClosingCriteria): number => CLOSING_CRITERIA.indexOf(rule)
