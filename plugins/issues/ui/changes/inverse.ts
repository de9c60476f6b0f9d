import type { Issue, Row } from '../list/row.ts'

/** Fields whose values belong to another field, and may be lost when that changes. */
const DEPENDENT: Readonly<Record<string, readonly string[]>> = {
  projectId: ['milestoneId'],
  teamId: ['stateId', 'projectId', 'milestoneId', 'cycleId']
}

/** The change that undoes another one; undefined if the former value is unknown. */
export function inverseOf(before: Row | Issue, change: object): object | undefined {
  const inverse: Record<string, unknown> = {}
  const values = new Map<string, unknown>(Object.entries(before))
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
      inverse[name] = values.get(name) ?? null
      // A field without a former value cannot have lost it.
      for (const other of DEPENDENT[name] ?? []) if (values.get(other)) inverse[other] ??= values.get(other)
    }
  }
  return inverse
}
