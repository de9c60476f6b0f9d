/** A team's rule for completing an issue: none, each criterion met, or also evidence for agents' ticks. */
export const CLOSING_CRITERIA = ['ANY', 'MET', 'PROVEN'] as const
export type ClosingCriteria = (typeof CLOSING_CRITERIA)[number]

/** Stricter rules have greater ranks. */
export const closingRank = (rule: ClosingCriteria): number => CLOSING_CRITERIA.indexOf(rule)
