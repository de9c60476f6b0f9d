import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installed } from '../plugins/index.ts'
import type { Call, TestServer } from './runner/harness.ts'

/** Ids and keys of records by kind, named like fields: `issue` for `issueId`. */
export type Ids = Record<string, string[]>
/** Sends a body to a path, and returns the created record. */
export type Make = (path: string, body: object) => Promise<{ id: string; key: string }>

/** A plugin's `test/samples.ts`, for the suites over all plugins. */
export interface Samples {
  /**
   * Creates a record of each of its kinds.
   * @param made the records of earlier plugins
   * @param text occurs in every text of the records
   * @param n another number for each call, for unique values
   */
  fill?(make: Make, made: Ids, text: string, n: number): Promise<Ids>
  /** The kinds of fields and path segments with another name: `{ relatedIssue: 'issue' }`. */
  kinds?: Record<string, string>
  /**
   * A request to each route of the plugin, in an order in which all succeed. The number of their statements does not
   * depend on the data.
   * @param issue one with `size` criteria
   * @param size the number of items, where a request takes or reads several
   * @param made the records of `fill` of all plugins
   */
  requests?(
    issue: { id: string; key: string },
    size: number,
    server: TestServer,
    made: Ids
  ): Promise<Array<[string, Call]>>
  /** Creates the records that the examples in its guides use. */
  board?(server: TestServer): Promise<void>
}

/**
 * Creates a record of each kind of all plugins.
 * @param made the earlier records
 * @returns all records, the newest first
 */
export async function fillWith(
  samples: readonly Samples[],
  make: Make,
  text: string,
  n: number,
  made: Ids = {}
): Promise<Ids> {
  const all = { ...made }
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
