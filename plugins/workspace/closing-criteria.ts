/**
 * A team's rule for completing an issue: none, each criterion met, or also evidence for what agents ticked.
 */
export const CLOSING_CRITERIA = ['ANY', 'MET', 'PROVEN'] as const
export type ClosingCriteria = (typeof CLOSING_CRITERIA)[number]

/** The stricter, the greater. */
export const closingRank = (rule: ClosingCriteria): number => CLOSING_CRITERIA.indexOf(rule)
