import { globSync, readdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename } from 'node:path'
import tap, { type Test } from 'tap'
import { dropDatabases } from './harness.ts'

/*
 * `npm test` divides the test files between a few processes, as many as there are files in test/shares: to load and to
 * compile everything for each file anew takes a quarter of all its time. A file whose name ends with `.alone.test.ts`
 * watches the memory or the event loop of its process, and has one for itself.
 */

const root = new URL('..', import.meta.url)
/** Milliseconds that one file may take. */
const FILE_TIMEOUT_MS = 600_000

/** The test that stands for the file that runs. */
export let currentFile: Test

/**
 * Runs a share of all test files, one after the other, each as a test of its own.
 * @param url of the file in test/shares that calls this
 */
export function runShare(url: string): void {
  const shares = readdirSync(new URL('test/shares/', root)).sort()
  const files = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules', '.tap', '**/*.alone.test.ts'] })
    .sort()
    .filter((_, index) => index % shares.length === shares.indexOf(basename(url)))
  useCurrentFile(new Set(files.map(file => new URL(file, root).href)))
  for (const file of files) {
    tap.test(file, { timeout: FILE_TIMEOUT_MS }, async t => {
      currentFile = t
      t.teardown(dropDatabases)
      await import(new URL(file, root).href)
    })
  }
}

/** What these files import as the root of their tests is the test that stands for them. */
function useCurrentFile(files: ReadonlySet<string>): void {
  registerHooks({
    resolve(name, context, next) {
      const importer = context.parentURL
      if (name !== 'tap' || importer === undefined || !files.has(importer)) return next(name, context)
      return { url: new URL(`share-root.ts?${importer}`, import.meta.url).href, shortCircuit: true }
    }
  })
}
