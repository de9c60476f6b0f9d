import type { Issue, Row } from './contract.ts'

/** The change that takes another one back; undefined when the issue does not show what it was before. */
export function inverseOf(before: Row | Issue, change: object): object | undefined {
  const inverse: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(change)) {
    if (name === 'addLabelIds') {
      inverse['removeLabelIds'] = (value as string[]).filter(id => !before.labelIds.includes(id))
    } else if (name === 'removeLabelIds') {
      inverse['addLabelIds'] = (value as string[]).filter(id => before.labelIds.includes(id))
    } else if (name === 'description' || name === 'descriptionMarkdown') {
      if (!('description' in before)) return undefined
      // The stored document keeps the bytes that were written.
      inverse['description'] = before.description
    } else {
      inverse[name] = Object.entries(before).find(([key]) => key === name)?.[1] ?? null
    }
  }
  return inverse
}
