import { isObject, textOf, type JsonObject } from '../values/values.ts'

/** What people call records by, by the kinds of their lines; front matter names these instead of ids. */
const NAMES: Readonly<Record<string, string>> = { account: 'fullname', project: 'name', cycle: 'name' }
/** The fields that name an account. */
const PEOPLE = new Set(['author', 'updatedBy', 'assignee', 'createdBy', 'actor'])

/** Unique names of records: two of the same name get an address or id behind it. */
export class RecordNames {
  readonly #names = new Map<string, string>()
  readonly #ids = new Map<string, string>()

  /** The same records in the same order get the same names, when a folder is written and when it is read. */
  add(record: JsonObject): void {
    const kind = String(record['kind'])
    const [id, name] = [textOf(record['externalId']), textOf(record[NAMES[kind] ?? ''])]
    if (id === undefined || name === undefined) return
    const candidates = [name, `${name} (${textOf(record['email']) ?? id})`, `${name} (${id})`]
    const free = candidates.find(candidate => !this.#ids.has(keyOf(kind, candidate))) ?? id
    this.#ids.set(keyOf(kind, free), id)
    this.#names.set(keyOf(kind, id), free)
  }

  /** A record whose fields have names instead of ids. */
  named = (record: JsonObject): JsonObject => replaceNames(record, this.#names)
  /** The other way round; what is no name of a record stays. */
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
