import { conversions } from '../../../core/api/text.ts'

/** The checklist items that are not ticked: their numbers, from 1, and their texts. */
export async function unmetCriteria(markdown: string): Promise<{ unmet: string[]; unmetNumbers: number[] }> {
  const open = (await conversions.criteria(markdown)).filter(({ met }) => !met)
  return { unmet: open.map(({ text }) => text), unmetNumbers: open.map(({ n }) => n) }
}
