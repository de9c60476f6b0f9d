import { conversions } from '../../../core/api/text.ts'

export async function unmetCriteria(markdown: string): Promise<{ unmet: string[]; unmetNumbers: number[] }> {
  const open = (await conversions.criteria(markdown)).filter(({ met }) => !met)
  return { unmet: open.map(({ text }) => text), unmetNumbers: open.map(({ n }) => n) }
}
