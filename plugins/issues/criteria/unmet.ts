import { conversions } from '../../../core/api/text.ts'

/** The texts of the checklist items that are not ticked. */
export const unmetCriteria = async (markdown: string): Promise<string[]> =>
  (await conversions.criteria(markdown)).filter(({ met }) => !met).map(({ text }) => text)
