import { readdirSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import tap, { type Test } from 'tap'
import { dropDatabases } from './harness.ts'
import { filesOf, partNamed } from './parts.ts'

/*
 * `npm test` divides the test files between a few processes, one for each file in shares/: loading and compiling
 * everything again for each test file takes a quarter of all its time. Each process takes the next free file, so that
 * the last ones end at about the same time. A file named `*.alone.test.ts` measures the memory or the event loop of its
 * process, and runs alone in one.
 */

const root = new URL('../..', import.meta.url)
/** Maximum milliseconds of a file: the longest takes 100 s alone, more than six times that on a slow machine. */
const FILE_TIMEOUT_MS = 1_500_000

export let currentFile: Test

/** Runs test files one after the other, each as a test, until all are taken, or this process has run its share. */
export async function runShare(): Promise<void> {
  const { TEST_CLAIMS, TEST_PART = 'daily' } = process.env
  if (!TEST_CLAIMS) throw new Error('TEST_CLAIMS is not set: run npm test, which makes a folder for it.')
  const files = filesOf(partNamed(TEST_PART))
  useCurrentFile(new Set(files.map(file => new URL(file, root).href)))
  // Its memory grows with each file: it leaves some files to the processes that start when the first ones have ended.
  let remaining = Math.ceil((files.length * 1.25) / readdirSync(new URL('test/runner/shares/', root)).length)
  // The longest are in test/: they begin first.
  for (const file of files.reverse()) {
    if (remaining === 0) break
    if (!claim(join(TEST_CLAIMS, encodeURIComponent(file)))) continue
    remaining--
    await tap.test(file, { timeout: FILE_TIMEOUT_MS }, async t => {
      currentFile = t
      t.teardown(dropDatabases)
      await import(new URL(file, root).href)
    })
  }
}

/** Creates the file, which only one process can. @returns true if it was this one */
function claim(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Replaces the root of these files' tests by the current file's test. */
function useCurrentFile(files: ReadonlySet<string>): void {
  registerHooks({
    resolve(name, context, next) {
      const importer = context.parentURL
      if (name !== 'tap' || importer === undefined || !files.has(importer)) return next(name, context)
      return { url: new URL(`share-root.ts?${importer}`, import.meta.url).href, shortCircuit: true }
    }
  })
}
