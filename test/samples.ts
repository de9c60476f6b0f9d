import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installed } from '../plugins/index.ts'
import type { Call, TestServer } from './runner/harness.ts'

/** Ids and keys of records by kind, named like fields: `issue` for `issueId`. */
export type Ids = Record<string, string[]>
/** Sends a body to a path, and returns the created record. */
export type Make = (path: string, body: object) => Promise<{ id: string; key: string; secret?: string }>
/** Ids, keys and secrets by name. */
export type Names = Record<string, string>

/** A request of test/events.test.ts, and the events that it must emit. */
export interface EventStep {
  /** Its path may have a query; `{issueId}` stands for a value of `names`. */
  route: string
  /**
   * @param names `issueId` and `otherId`, issues of the plugin's own, with `issueKey` and `otherKey`; `id`, the newest
   * id of an answer; and the values that steps keep
   */
  body?: object | ((names: Names) => object)
  /** Instead of `body`: the whole request. */
  call?: (names: Names) => Call
  types: readonly string[]
  /** Fields of the answer, by name. */
  keep?: Record<string, string>
  /** Creates a record that no route creates. */
  prepare?: (server: TestServer) => Promise<Names>
}

/**
 * A request of test/locks.test.ts.
 * @param names the records of `lockRecords` of all plugins; states of the team ENG: `todo`, `inReview`
 * @param n another number for each concurrent request
 */
export type LockRequest = (names: Names, n: number) => [path: string, call: Call]

/** Requests with the token of a run: refused out of its issue, served within. */
export interface BoundRequests {
  outside(names: Names): Array<{ path: string; body?: object }>
  inside(names: Names): Array<{ path: string; body?: object }>
}
/** One request for each of these records, which `names` has. */
export function bound(
  pathOf: (id: string) => string,
  records: Record<'outside' | 'inside', readonly string[]>,
  body?: object
): BoundRequests {
  const requests = (list: readonly string[], names: Names) =>
    list.map(name => ({ path: pathOf(names[name]!), ...(body && { body }) }))
  return {
    outside: names => requests(records.outside, names),
    inside: names => requests(records.inside, names)
  }
}
/** The issues that a run may read, and those that it may change. */
export const READ_ISSUES = { outside: ['foreign'], inside: ['own', 'sub', 'deep', 'parent', 'related'] }
export const WRITTEN_ISSUES = { outside: ['foreign', 'parent', 'related'], inside: ['own', 'deep'] }

/** A plugin's `test/samples.ts`, for the suites over all plugins. */
export interface Samples {
  /**
   * Creates a record of each of its kinds.
   * @param records of earlier plugins
   * @param text occurs in every text of the records
   * @param n another number for each call, for unique values
   */
  fill?(make: Make, records: Ids, text: string, n: number): Promise<Ids>
  /** The kinds of fields and path segments with another name: `{ relatedIssue: 'issue' }`. */
  kinds?: Record<string, string>
  /**
   * A request to each route of the plugin, in an order in which all succeed. The number of their statements does not
   * depend on the data.
   * @param issue one with `size` criteria
   * @param size the number of items, where a request takes or reads several
   * @param records of `fill` of all plugins
   */
  requests?(
    issue: { id: string; key: string },
    size: number,
    server: TestServer,
    records: Ids
  ): Promise<Array<[string, Call]>>
  /** Creates the records that the examples in its guides use. */
  board?(server: TestServer): Promise<void>
  /** A request to each route of the plugin that writes, in an order in which all succeed. */
  events?: readonly EventStep[]
  /** Its routes that write without events, with reasons. */
  withoutEvents?: Record<string, string>
  /**
   * Creates its records of an issue, for `locks`.
   * @param names states, records of earlier plugins, and of the issue before
   */
  lockRecords?(make: Make, names: Names, n: number): Promise<Names>
  /** Every route that writes to an issue or its parts, with requests that lock as much as possible. */
  locks?: Record<string, readonly LockRequest[]>
  /** Its routes that write neither to an issue nor to its parts, or only through the routes of others. */
  withoutLocks?: readonly string[]
  /** Statements of its routes and tools beyond the maximum. */
  moreStatements?: Record<string, number>
  /** Its routes that handle items one after another: statements for each. */
  statementsPerItem?: Record<string, number>
  /** Its paths whose routes have no query. */
  withoutQueries?: readonly string[]
  /** Its routes that are not in `requests`, with reasons. */
  notCounted?: Record<string, string>
  /**
   * Creates records for `boundToRuns`.
   * @param token the agent's
   * @param names the run's `agent`, its issue `own`, the sub-issues `sub` and `deep`, `parent`, `related`, `foreign`
   */
  runRecords?(server: TestServer, token: string, names: Names): Promise<Names>
  /** Its routes that serve the token of a run, with reasons. All that are in no list refuse it. */
  openToRuns?: Record<string, string>
  /** Its routes that serve the token of a run within its issue. */
  boundToRuns?: Record<string, BoundRequests>
}
export const post = (body: object): Call => ({ method: 'POST', body })
export const remove: Call = { method: 'DELETE' }

/**
 * Creates a record of each kind of all plugins.
 * @param earlier the records so far
 * @returns all records, the newest first
 */
export async function fillWith(
  samples: readonly Samples[],
  make: Make,
  text: string,
  n: number,
  earlier: Ids = {}
): Promise<Ids> {
  const all = { ...earlier }
  for (const { fill } of samples) {
    const ids = (await fill?.(make, all, text, n)) ?? {}
    for (const [kind, of] of Object.entries(ids)) all[kind] = [...of, ...(all[kind] ?? [])]
  }
  return all
}

const root = fileURLToPath(new URL('..', import.meta.url))
const nameOf = (file: string) => file.split('/')[1]!.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

export async function readSamples(): Promise<Samples[]> {
  const order = Object.keys(installed)
  const files = globSync('plugins/*/test/samples.ts', { cwd: root })
  return Promise.all(
    files
      .toSorted((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)))
      .map(async file => ((await import(join(root, file))) as { samples: Samples }).samples)
  )
}
