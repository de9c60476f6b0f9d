import { isObject, textOf, type JsonObject } from '../values/values.ts'

/** Front matter has names instead of ids. */
const NAMES: Readonly<Record<string, string>> = { account: 'fullname', project: 'name', cycle: 'name' }
const PEOPLE = new Set(['author', 'updatedBy', 'assignee', 'createdBy', 'actor'])

/** Equal names get an address or id appended. */
export class RecordNames {
  readonly #names = new Map<string, string>()
  readonly #ids = new Map<string, string>()

  /** The same records in the same order get the same names, in writing and reading. */
  add(record: JsonObject): void {
    const kind = String(record['kind'])
    const [id, name] = [textOf(record['externalId']), textOf(record[NAMES[kind] ?? ''])]
    if (id === undefined || name === undefined) return
    const candidates = [name, `${name} (${textOf(record['email']) ?? id})`, `${name} (${id})`]
    const free = candidates.find(candidate => !this.#ids.has(keyOf(kind, candidate))) ?? id
    this.#ids.set(keyOf(kind, free), id)
    this.#names.set(keyOf(kind, id), free)
  }

  named = (record: JsonObject): JsonObject => replaceNames(record, this.#names)
  /** The inverse; unknown names stay. */
  withIds = (record: JsonObject): JsonObject => replaceNames(record, this.#ids)
}

const keyOf = (kind: string, name: string) => `${kind} ${name}`

function replaceNames(record: JsonObject, by: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => {
      if (Array.isArray(value)) {
        return [field, value.map(item => (isObject(item) ? replaceNames(item, by) : (item as unknown)))]
      }
      const kind = PEOPLE.has(field) ? 'account' : field
      return [field, typeof value === 'string' ? (by.get(keyOf(kind, value)) ?? value) : value]
    })
  )
}
