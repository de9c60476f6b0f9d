import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ImportMap, PlacedLine, SourceRecord, Unreadable } from './contract.ts'
import { MAX_TEXT_CHARACTERS } from './files.ts'
import { mappedRecord } from './map.ts'
import { hasReference, resolveReferences } from './references.ts'
import { textsOf } from './values.ts'

type DataRecord = SourceRecord['record']
interface Team {
  identifier: string
  name: string
  states: Map<string, { name: string; category: string }>
}

/**
 * The kinds in the order of the import format. Each issue gets its key before a text names it: those that have a number
 * first, so that no other takes it.
 */
const ORDER = [
  'account',
  'label',
  'project',
  'cycle',
  'numberedKey',
  'issueKey',
  'issue',
  'relation',
  'lastNumber',
  'comment',
  'knowledge'
] as const
const REPORT_EVERY = 100
/** Entries of one list: an issue may have a long history. */
const MAX_ITEMS = 20_000

/**
 * Records of a source as lines, in the order of the import format: what a line names stands before it. They wait in a
 * temporary folder, so that memory does not grow with the board.
 */
export async function* spooledLines(
  records: AsyncIterable<SourceRecord | Unreadable>,
  map: ImportMap,
  reading: (records: number) => void,
  progress: (share: number) => void
): AsyncGenerator<PlacedLine> {
  const folder = await mkdtemp(join(tmpdir(), 'tracker-import-'))
  const spool = makeSpool(folder)
  try {
    let read = 0
    for await (const { where, ...each } of records) {
      const problem = 'problem' in each ? each.problem : problemOf(each.record)
      if (problem !== undefined) yield { text: '', where, problem }
      else if ('record' in each) for (const mapped of mappedRecord(each.record, map)) await spool.add(mapped, where)
      if (++read % REPORT_EVERY === 0) reading(read)
    }
    const total = await spool.end()
    let written = 0
    for await (const line of spool.lines()) {
      progress(++written / total)
      yield line
    }
  } finally {
    await spool.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What is far too large is refused before work and space go into it. */
function problemOf(record: DataRecord): string | undefined {
  for (const [field, value] of Object.entries(record)) {
    if (typeof value === 'string' && value.length > MAX_TEXT_CHARACTERS) {
      return `${field} is longer than ${MAX_TEXT_CHARACTERS} characters: shorten it`
    }
    if (Array.isArray(value) && value.length > MAX_ITEMS) return `${field} has more than ${MAX_ITEMS} items`
  }
  return undefined
}

/** Keeps records by their kinds; teams grow with each state, and what has a name comes once. */
function makeSpool(folder: string) {
  const files = new Map<string, WriteStream>()
  const teams = new Map<string, Team>()
  const seen = new Set<string>()
  /** Old keys, in capitals -> external ids. */
  const externalIds = new Map<string, string>()
  const pathOf = (kind: string) => join(folder, `${kind}.jsonl`)
  let total = 0

  async function write(kind: string, record: DataRecord, where: string): Promise<void> {
    let file = files.get(kind)
    if (file === undefined) {
      file = createWriteStream(pathOf(kind))
      files.set(kind, file)
    }
    total++
    // JSON escapes no U+2028, at which readline would break a line.
    const line = `${JSON.stringify(where)}\t${JSON.stringify(record)}`
    const text = line.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    if (!file.write(`${text}\n`)) await once(file, 'drain')
  }

  return {
    async add(record: DataRecord, where: string): Promise<void> {
      if (record.kind === 'team') {
        addTeam(teams, record)
        return
      }
      const name = record.kind === 'relation' ? JSON.stringify(record) : record['externalId']
      if (typeof name === 'string' && record.kind !== 'issue' && record.kind !== 'comment') {
        const id = `${record.kind} ${name}`
        if (seen.has(id)) return
        seen.add(id)
      }
      if (record.kind === 'issue') await addKey(record, where)
      await write(record.kind, record, where)
    },

    /** @returns how many lines there will be */
    async end(): Promise<number> {
      await closeFiles()
      return total + teams.size
    },

    async *lines(): AsyncGenerator<PlacedLine> {
      // Of a kind that nobody knows, the import says so.
      for (const kind of new Set<string>([...ORDER, ...files.keys()])) {
        if (kind === 'label') {
          for (const { states, ...team } of teams.values()) {
            yield { text: JSON.stringify({ kind: 'team', ...team, states: [...states.values()] }), where: 'its states' }
          }
        }
        if (!files.has(kind)) continue
        for await (const line of createInterface({ input: createReadStream(pathOf(kind)), crlfDelay: Infinity })) {
          const tab = line.indexOf('\t')
          const text = line.slice(tab + 1)
          yield {
            text: hasReference(text) ? resolved(text, externalIds) : text,
            where: JSON.parse(line.slice(0, tab)) as string
          }
        }
      }
    },
    close: closeFiles
  }

  async function addKey(issue: DataRecord, where: string): Promise<void> {
    const { externalId, team, number } = issue
    for (const key of textsOf(issue['formerKeys'])) externalIds.set(key.toUpperCase(), externalId as string)
    const key = { kind: 'issueKey', externalId, team, ...(number !== undefined && { number }) }
    await write(number === undefined ? 'issueKey' : 'numberedKey', key, where)
  }

  async function closeFiles(): Promise<void> {
    for (const file of files.values()) {
      if (file.closed) continue
      file.end()
      await once(file, 'close')
    }
  }
}

function addTeam(teams: Map<string, Team>, { identifier, name, states }: DataRecord): void {
  const key = identifier as string
  const team = teams.get(key) ?? { identifier: key, name: name as string, states: new Map() }
  for (const state of states as Array<{ name: string; category: string }>) {
    const known = state.name.toLowerCase()
    if (!team.states.has(known)) team.states.set(known, state)
  }
  teams.set(key, team)
}

/** The JSON of a record with its references resolved. */
const resolved = (json: string, externalIds: ReadonlyMap<string, string>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(JSON.parse(json) as DataRecord).map(([field, value]) => [
        field,
        typeof value === 'string' ? resolveReferences(value, externalIds) : value
      ])
    )
  )
