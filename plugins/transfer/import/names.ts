import { isId } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { forceLine } from '../../../core/api/text.ts'
import type { Trx } from '../context.ts'
import { UNKNOWN_PERSON, type ImportedFields, type RecordKind } from '../contract.ts'
import { accountsNamed, addRemovedAccounts } from '../queries/accounts.ts'
import { renameSource } from '../queries/boards.ts'
import { findStored, namesInTexts, storeNames } from '../queries/imported.ts'

type Names = Iterable<string | null | undefined>

export interface ImportTarget {
  workspaceId: Id
  actorId: Id
  /** Empty for a file of the import format. */
  source: string
  formerSource: string | undefined
  /** Full names of accounts here; other names become removed accounts. */
  accountNames: ReadonlySet<string>
  kinds: readonly RecordKind[]
  /** By id, of all lines so far; only of kinds that are kept apart. */
  taken: Map<Id, string>
  strangers: Set<string>
  /** Names of issues in the file that belong to other issues here. */
  refused: Set<string>
  now: Date
}

export class RecordNames {
  readonly #trx: Trx
  readonly #into: ImportTarget
  readonly #assigned: ReadonlyMap<string, Map<string, Id>>

  constructor(trx: Trx, into: ImportTarget) {
    this.#trx = trx
    this.#into = into
    this.#assigned = new Map(into.kinds.map(({ kind }) => [kind, new Map<string, Id>()]))
  }

  assignedIds(kind: string): Map<string, Id> {
    return this.#assigned.get(kind)!
  }

  async find(kind: string, names: Names): Promise<Map<string, Id>> {
    const assigned = this.#assigned.get(kind)
    const uniqueNames = [...new Set(names)].filter(name => name != null)
    const ids = new Map(
      uniqueNames.flatMap(name => {
        const id = assigned?.get(name)
        return id === undefined ? [] : [[name, id] as const]
      })
    )
    const others = uniqueNames.filter(name => !ids.has(name))
    const recordKind = this.#into.kinds.find(known => known.kind === kind)
    if (others.length === 0 || recordKind === undefined) return ids
    for (const [name, id] of await this.#findStored(recordKind, others)) ids.set(name, id)
    return ids
  }

  async #findStored(recordKind: RecordKind, names: readonly string[]): Promise<Map<string, Id>> {
    const { workspaceId, source, formerSource } = this.#into
    const { kind } = recordKind
    if (formerSource !== undefined) {
      await renameSource(this.#trx, { workspaceId, kind, source }, formerSource, names)
    }
    const stored = await findStored(this.#trx, { workspaceId, kind, source }, recordKind, names)
    return new Map(
      names.flatMap(name => {
        const id = stored.get(name) ?? (isId(name) ? stored.get(name.toLowerCase()) : undefined)
        return id === undefined ? [] : [[name, id] as const]
      })
    )
  }

  async people(names: Names): Promise<Map<string, Id>> {
    const { workspaceId, actorId, accountNames, strangers, now } = this.#into
    const ids = await this.find('account', names)
    const unknown = (among: Names) => [...new Set(among)].filter(name => name != null && !ids.has(name)) as string[]
    const named = unknown(names)
    // The stored form; several names may have the same.
    const lines = new Map(named.map(name => [name, forceLine(name) || UNKNOWN_PERSON]))
    const take = (accounts: ReadonlyMap<string, Id>) => {
      for (const [name, line] of lines) if (accounts.has(line)) ids.set(name, accounts.get(line)!)
    }
    if (named.length > 0) {
      take(await accountsNamed(this.#trx, workspaceId, [...new Set(lines.values())], accountNames))
    }
    const missing = new Set(unknown(named).map(name => lines.get(name)!))
    for (const name of missing) if (name !== UNKNOWN_PERSON) strangers.add(name)
    if (missing.size > 0) take(await addRemovedAccounts(this.#trx, workspaceId, [...missing], actorId, now))
    return ids
  }

  /** In a file of the format, an id needs no second name. */
  async remember(kind: string, fields: ReadonlyMap<Id, ImportedFields>): Promise<void> {
    const { workspaceId, source } = this.#into
    const rows = [...this.assignedIds(kind)]
      .filter(([name, id]) => source !== '' || name.toLowerCase() !== id)
      .map(([name, id]) => ({ name, id, fields: source === '' ? null : (fields.get(id) ?? {}) }))
    if (rows.length === 0) return
    await storeNames(this.#trx, { workspaceId, kind, source }, rows)
  }

  /** In the fields whose names end with `Markdown`. */
  async resolveTexts(records: Array<Record<string, unknown>>): Promise<void> {
    const prefixes = new Set(this.#into.kinds.flatMap(({ inTexts }) => inTexts?.prefix ?? []))
    for (const prefix of prefixes) {
      const externalIds = [...new Set(records.flatMap(record => referencesIn(record, prefix)))]
      if (externalIds.length === 0) continue
      const names = await this.#namesInTexts(prefix, externalIds)
      for (const record of records) replaceReferences(record, prefix, names)
    }
  }

  async #namesInTexts(prefix: string, externalIds: readonly string[]): Promise<Map<string, string>> {
    const { workspaceId, kinds } = this.#into
    const named = new Map<string, string>()
    for (const { kind, inTexts } of kinds) {
      if (inTexts?.prefix !== prefix) continue
      const ids = await this.find(kind, externalIds)
      const names = await namesInTexts(this.#trx, inTexts.names(workspaceId, [...ids.values()]))
      for (const [externalId, id] of ids) if (names.has(id)) named.set(externalId, names.get(id)!)
    }
    return named
  }
}

const textsOf = (record: Record<string, unknown>) =>
  Object.entries(record).filter((entry): entry is [string, string] => {
    const [field, value] = entry
    return field.endsWith('Markdown') && typeof value === 'string'
  })
const patternOf = (prefix: string) => new RegExp(`<${prefix}:([^<>\\s]{1,200})>`, 'g')

const referencesIn = (record: Record<string, unknown>, prefix: string): string[] =>
  textsOf(record).flatMap(([, text]) => [...text.matchAll(patternOf(prefix))].map(match => match[1]!))

/** A name without a record is unchanged. */
function replaceReferences(record: Record<string, unknown>, prefix: string, names: ReadonlyMap<string, string>): void {
  for (const [field, text] of textsOf(record)) {
    record[field] = text.replace(patternOf(prefix), (all, externalId: string) => names.get(externalId) ?? all)
  }
}
