import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installed } from '../plugins/index.ts'
import type { Call, TestServer } from './runner/harness.ts'

/** Ids and keys of records by their kind, as fields are named: `issue` for `issueId`. */
export type Ids = Record<string, string[]>
/** Sends a body to a path, and returns what was made. */
export type Make = (path: string, body: object) => Promise<{ id: string; key: string }>

/** What the `test/samples.ts` of a plugin gives to the suites over all plugins. */
export interface Samples {
  /**
   * Makes a record of each of its kinds.
   * @param made what the plugins before it have made, of every kind that they have
   * @param text stands in every text of what is made
   * @param n another number for each call, for what must be unique
   */
  fill?(make: Make, made: Ids, text: string, n: number): Promise<Ids>
  /** The kinds of fields and path segments that have another name: `{ relatedIssue: 'issue' }`. */
  kinds?: Record<string, string>
  /**
   * A request to each route of the plugin, in an order in which all succeed. They send as many statements to the
   * database however much there is.
   * @param issue one with `size` criteria
   * @param size the number of items, where a request takes or reads several
   * @param made what `fill` of all plugins has made
   */
  requests?(
    issue: { id: string; key: string },
    size: number,
    server: TestServer,
    made: Ids
  ): Promise<Array<[string, Call]>>
  /** Makes the records that the examples in its guides use. */
  board?(server: TestServer): Promise<void>
}

/**
 * Makes a record of each kind of all plugins.
 * @param made what was made before
 * @returns that and what is made now, the newest first
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

/** The samples of all installed plugins, in the order in which these are installed. */
export async function readSamples(): Promise<Samples[]> {
  const order = Object.keys(installed)
  const files = globSync('plugins/*/test/samples.ts', { cwd: root })
  return Promise.all(
    files
      .toSorted((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)))
      .map(async file => ((await import(join(root, file))) as { samples: Samples }).samples)
  )
}
