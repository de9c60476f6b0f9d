import { hasFields } from '../../lib/util/has-fields.ts'
import type { Id } from '../api/database/types.ts'

const toJsonValue = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * The events of an update: one, or none when nothing differs.
 * @param before the record before the change, its row locked
 * @param fields the fields that clients see; for long texts and lists the event has only the name
 */
export function updatedEvents<T extends { id: string }>(
  before: T,
  after: T,
  fields: ReadonlyArray<keyof T & string>,
  texts: ReadonlyArray<keyof T & string> = []
) {
  const changes = [
    ...fields
      .map(field => ({ field, from: toJsonValue(before[field]), to: toJsonValue(after[field]) }))
      .filter(({ from, to }) => !isSame(from, to)),
    ...texts.filter(field => !isSame(before[field], after[field])).map(field => ({ field }))
  ]
  return changes.length === 0 ? [] : [{ subjectId: after.id, data: { changes } }]
}

export const idInChange = (value: unknown): Id | undefined =>
  hasFields(value) && typeof value['id'] === 'string' ? value['id'] : undefined
