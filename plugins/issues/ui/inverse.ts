import type { Issue, Row } from './contract.ts'

/** The change that undoes another one; undefined if the former value is unknown. */
export function inverseOf(before: Row | Issue, change: object): object | undefined {
  const inverse: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(change)) {
    if (name === 'addLabelIds') {
      inverse['removeLabelIds'] = (value as string[]).filter(id => !before.labelIds.includes(id))
    } else if (name === 'removeLabelIds') {
      inverse['addLabelIds'] = (value as string[]).filter(id => before.labelIds.includes(id))
    } else if (name === 'description' || name === 'descriptionMarkdown') {
      if (!('description' in before)) return undefined
      // The stored document keeps the original bytes.
      inverse['description'] = before.description
    } else {
      inverse[name] = Object.entries(before).find(([key]) => key === name)?.[1] ?? null
    }
  }
  return inverse
}
