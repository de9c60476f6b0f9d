import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installed } from '../plugins/index.ts'
import type { Call, TestServer } from './harness.ts'

/** Ids and keys of records by their kind, which is what fields are called by: `issue` for `issueId`. */
export type Ids = Record<string, string[]>
/** Sends a body to a path, and returns what was made. */
export type Make = (path: string, body: object) => Promise<{ id: string; key: string }>

/** What a plugin says in its `test/samples.ts`, for the suites over all plugins. */
export interface Samples {
  /**
   * Makes a record of each of its kinds.
   * @param made what the plugins before it have made, of every kind that they have
   * @param text stands in every text of what is made
   * @param n another number for each call, for what must be unique
   */
  fill?(make: Make, made: Ids, text: string, n: number): Promise<Ids>
  /** The kinds for which fields and folders of paths stand that are not called by them: `{ relatedIssue: 'issue' }`. */
  kinds?: Record<string, string>
  /**
   * Requests that send as many statements to the database however much there is.
   * @param issue one with `size` criteria
   * @param size how much there is to be
   */
  requests?(issue: { id: string; key: string }, size: number, server: TestServer): Promise<Array<[string, Call]>>
  /** Makes what the examples in its guides work on. */
  board?(server: TestServer): Promise<void>
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
