import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'

const run = promisify(execFile)
export const root = fileURLToPath(new URL('..', import.meta.url))
/** Below the project, where its libraries are found. */
export const built = `out/built-${process.pid}`
const OPTIONS = [
  '--require=./core/start/preload.cjs',
  '--require=./test/runner/lean-tap.cjs',
  '--no-enable-source-maps'
]
/** Builds the server before the tests of a file. */
export function buildServer(t: Test): void {
  t.before(() => run(process.execPath, ['scripts/build.ts', built], { cwd: root }))
  t.teardown(() => rm(join(root, built), { recursive: true, force: true }))
}

/** Runs Node so that `import` finds what is built. */
export const runBuilt = (...args: string[]) =>
  run(process.execPath, [...OPTIONS, ...args], {
    cwd: root,
    env: { ...process.env, TEST_BUILT: built },
    maxBuffer: 1 << 26
  })

/** Adds a test: a test file of the project passes on what is built. */
export function assertPasses(t: Test, file: string): void {
  t.test(`the built server passes ${file}`, async t => {
    const { stdout } = await runBuilt(file)
    t.match(stdout, /^1\.\.\d+$/m)
    t.notMatch(stdout, /^ *not ok/m)
  })
}
