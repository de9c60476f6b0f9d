import type { Group } from '../data.ts'
import { isDay, type By } from '../address.ts'

const weeks = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
/** `2 Mar`. @param monday its first day */
export const weekText = (monday: string | null): string => (monday === null ? '' : weeks.format(Date.parse(monday)))

export function nameOfGroup(by: By, { id, name }: Pick<Group, 'id' | 'name'>): string {
  if (id === null) return by === 'label' ? 'No label' : 'Nobody'
  return name ?? (by === 'label' ? 'Deleted label' : 'Former member')
}

/** The name of the address's group, for titles; empty if it is not among the loaded groups. */
export function nameInTitle(by: By, id: string, groups: readonly Group[]): string {
  if (isDay(id)) return `week of ${weekText(id)}`
  if (id === 'none') return nameOfGroup(by, { id: null, name: null })
  const group = groups.find(group => group.id === id)
  return group ? nameOfGroup(by, group) : ''
}
