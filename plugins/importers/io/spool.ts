import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import type { DataRecord, ImportMap, OmittedIssue, SourceInput } from '../contract.ts'
import type { IssueIdentity, PlacedLine } from '../../transfer/contract.ts'
import { resolveReferences, type Referred } from '../references.ts'
import { attachmentsIn } from '../values/attachments.ts'
import { textsOf, valueFor } from '../values/values.ts'

interface Team {
  fields: Record<string, unknown>
  states: Map<string, { name: string; category: string }>
}

/**
 * As in the import format. Issues get their keys before texts name them: those with a number first, so that no other
 * takes it.
 */
const ORDER: readonly string[] = [
  'account',
  'label',
  'project',
  'milestone',
  'cycle',
  'numberedKey',
  'issueKey',
  'issue',
  'relation',
  'lastNumber',
  'comment'
]
/** The other kinds, as they come: kinds of the data name no file. The import reports those that it does not know. */
const OTHERS = 'others'

/** Teams grow with each state; named records occur once. */
export class Spool {
  readonly #folder: string
  readonly #files = new Map<string, WriteStream>()
  readonly #teams = new Map<string, Team>()
  readonly #seen = new Set<string>()
  /** Old keys, uppercase -> external ids. */
  readonly #externalIds = new Map<string, string>()
  /** External ids that are no old keys. */
  readonly #ids = new Set<string>()
  /** Uppercase. */
  readonly #omitted = new Set<string>()
  #refused: ReadonlyMap<string, string> = new Map()
  /** By lowercase id and alias. */
  readonly #people = new Map<string, string>()
  readonly #keysInTexts: RegExp | undefined
  #total = 0

  constructor(folder: string, keysInTexts: RegExp | undefined) {
    this.#folder = folder
    this.#keysInTexts = keysInTexts
  }

  addPerson({ externalId, fullname }: DataRecord, aliases: readonly string[], { people }: ImportMap): void {
    const id = String(externalId)
    const account = /^[^<>\s]+$/.test(id) ? `<account:${id}>` : String(fullname)
    for (const name of [id, ...aliases]) this.#people.set(name.toLowerCase(), valueFor(people, id) ?? account)
  }

  /** @returns false for an issue that was added before */
  async add(record: DataRecord, where: string): Promise<boolean> {
    if (record.kind === 'team') {
      addTeam(this.#teams, record)
      return true
    }
    const name = record.kind === 'relation' ? JSON.stringify(record) : record['externalId']
    if (typeof name === 'string' && record.kind !== 'comment') {
      const id = `${record.kind} ${name}`
      if (this.#seen.has(id)) return record.kind !== 'issue'
      this.#seen.add(id)
    }
    if (record.kind === 'issue') await this.#addKey(record, where)
    await this.#write(record.kind, record, where)
    return true
  }

  /** Leaves out comments on the issue, and relations to it. */
  omit({ omitted }: OmittedIssue): void {
    for (const name of omitted) this.#omitted.add(name.toUpperCase())
  }

  /** Reports the issues, and leaves out references to them. */
  refuse(issues: ReadonlyMap<string, string>): void {
    this.#refused = issues
    for (const id of issues.keys()) {
      this.#seen.delete(`issue ${id}`)
      this.#omitted.add(id.toUpperCase())
    }
    for (const [key, id] of this.#externalIds) {
      if (!issues.has(id)) continue
      this.#externalIds.delete(key)
      this.#omitted.add(key)
    }
  }

  /** @returns the number of lines. @throws Error when one could not be stored */
  async end(): Promise<number> {
    await this.close()
    for (const { errored } of this.#files.values()) if (errored) throw errored
    return this.#total + this.#teams.size
  }

  async *lines(leaveOut: SourceInput['leaveOut']): AsyncGenerator<PlacedLine> {
    for (const kind of [...ORDER, OTHERS]) {
      if (kind === 'label') yield* this.#teamLines()
      for await (const { text, where } of this.#read(kind)) {
        const refusal = this.#refusalOf(kind, text)
        if (refusal !== undefined) {
          if (kind === 'issue') yield { text: '', where, problem: refusal }
        } else if (this.#namesOmitted(kind, text)) leaveOut(`${kind}s`, 'they are of issues that are left out', where)
        else yield { text: kind === 'relation' ? this.#withIds(text) : withTexts(text, this.#referred), where }
      }
    }
  }

  async *issues(): AsyncGenerator<IssueIdentity> {
    for await (const { text } of this.#read('issue')) yield JSON.parse(text) as IssueIdentity
  }

  async *attachments(): AsyncGenerator<{ externalId: string; issue: string }> {
    for (const kind of ['issue', 'comment']) {
      for await (const { text } of this.#read(kind)) {
        const attachments = attachmentsIn(text)
        if (attachments.length === 0) continue
        const record = JSON.parse(text) as DataRecord
        const issue = record[kind === 'issue' ? 'externalId' : 'issue'] as string
        yield* attachments.map(({ externalId }) => ({ externalId, issue }))
      }
    }
  }

  async *#read(kind: string): AsyncGenerator<{ text: string; where: string }> {
    if (!this.#files.has(kind)) return
    const input = createReadStream(this.#pathOf(kind))
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const tab = line.indexOf('\t')
      yield { text: line.slice(tab + 1), where: JSON.parse(line.slice(0, tab)) as string }
    }
  }

  #refusalOf(kind: string, json: string): string | undefined {
    if (this.#refused.size === 0 || !['issue', 'issueKey', 'numberedKey'].includes(kind)) return undefined
    return this.#refused.get((JSON.parse(json) as IssueIdentity).externalId)
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await finished(file.end()).catch(() => {})
  }

  *#teamLines(): Generator<PlacedLine> {
    for (const { fields, states } of this.#teams.values()) {
      yield { text: JSON.stringify({ ...fields, states: [...states.values()] }), where: 'its states' }
    }
  }

  get #referred(): Referred {
    return { issues: this.#externalIds, people: this.#people, keysInTexts: this.#keysInTexts }
  }

  async #addKey(issue: DataRecord, where: string): Promise<void> {
    const { externalId, team, number } = issue
    const keys = textsOf(issue['formerKeys'])
    for (const key of keys) this.#externalIds.set(key.toUpperCase(), externalId as string)
    if (!keys.includes(externalId as string)) this.#ids.add(externalId as string)
    const key = { kind: 'issueKey', externalId, team, ...(number !== undefined && { number }) }
    await this.#write(number === undefined ? 'issueKey' : 'numberedKey', key, where)
  }

  #namesOmitted(kind: string, json: string): boolean {
    if (this.#omitted.size === 0 || (kind !== 'relation' && kind !== 'comment')) return false
    const { issue, relatedIssue } = JSON.parse(json) as DataRecord
    return [issue, relatedIssue].some(
      name =>
        typeof name === 'string' &&
        this.#omitted.has(name.toUpperCase()) &&
        // An archived issue may have the id of an imported one.
        !this.#seen.has(`issue ${name}`) &&
        !this.#externalIds.has(name.toUpperCase())
    )
  }

  /** A source may name issues by key, too. */
  #withIds(json: string): string {
    // Without such ids, names and ids are the same.
    if (this.#ids.size === 0) return json
    const relation = JSON.parse(json) as DataRecord
    const idOf = (name: unknown) =>
      typeof name !== 'string' || this.#ids.has(name) ? name : (this.#externalIds.get(name.toUpperCase()) ?? name)
    return JSON.stringify({
      ...relation,
      issue: idOf(relation['issue']),
      relatedIssue: idOf(relation['relatedIssue'])
    })
  }

  async #write(kind: string, record: DataRecord, where: string): Promise<void> {
    const name = ORDER.includes(kind) ? kind : OTHERS
    // The next line, or `end`, throws the error.
    const file = this.#files.get(name) ?? createWriteStream(this.#pathOf(name)).on('error', () => {})
    this.#files.set(name, file)
    if (file.errored) throw file.errored
    this.#total++
    // JSON does not escape U+2028, at which readline would break a line.
    const line = `${JSON.stringify(where)}\t${JSON.stringify(record)}`
    const text = line.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    if (!file.write(`${text}\n`)) await once(file, 'drain')
  }

  #pathOf = (kind: string): string => join(this.#folder, `${kind}.jsonl`)
}

function addTeam(teams: Map<string, Team>, { states, ...fields }: DataRecord): void {
  const key = fields['identifier'] as string
  const team = teams.get(key) ?? { fields, states: new Map() }
  for (const state of states as Array<{ name: string; category: string }>) {
    const known = state.name.toLowerCase()
    if (!team.states.has(known)) team.states.set(known, state)
  }
  teams.set(key, team)
}

const withTexts = (json: string, referred: Referred): string =>
  json.includes('Markdown":')
    ? JSON.stringify(
        Object.fromEntries(
          Object.entries(JSON.parse(json) as DataRecord).map(([field, value]) => [
            field,
            field.endsWith('Markdown') && typeof value === 'string' ? resolveReferences(value, referred) : value
          ])
        )
      )
    : json
