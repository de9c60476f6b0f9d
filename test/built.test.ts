import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
/** Below the project, where its libraries are found. */
const built = `out/built-${process.pid}`
const OPTIONS = [
  '--require=./core/start/preload.cjs',
  '--require=./test/runner/lean-tap.cjs',
  '--no-enable-source-maps'
]
/** Starts, in this process and as processes, and tools of agents. */
const FILES = ['core/config/test/start.test.ts', 'test/first-start.test.ts', 'plugins/mcp/test/tools.test.ts']

/** Runs Node so that `import` finds what is built. */
const node = (...args: string[]) =>
  run(process.execPath, [...OPTIONS, ...args], {
    cwd: root,
    env: { ...process.env, TEST_BUILT: built },
    maxBuffer: 1 << 26
  })

t.before(() => run(process.execPath, ['scripts/build.ts', built], { cwd: root }))
t.teardown(() => rm(join(root, built), { recursive: true, force: true }))

t.test('all files that the built server names are there', async t => {
  const files = globSync('{core,lib,plugins,scripts,test}/**/*.{js,cjs}', { cwd: join(root, built) })
  t.ok(files.length > 500, `${files.length} files`)
  const missing = files.flatMap(file => {
    const code = readFileSync(join(root, built, file), 'utf8')
    const paths = [...code.matchAll(/(["'])(\.{1,2}\/[\w./-]+\.[a-z]{2,4})\1/g)].map(([, , path]) => path!)
    return paths.filter(path => !existsSync(join(root, built, dirname(file), path))).map(path => `${file}: ${path}`)
  })
  t.strictSame(missing, [])
})

t.test('tests of the built server import it', async t => {
  const { stdout } = await node('--input-type=module', '--eval', "console.log(import.meta.resolve('./core/run.ts'))")
  t.match(stdout, `${built}/core/run.js`)
})

for (const file of FILES) {
  t.test(`the built server passes ${file}`, async t => {
    const { stdout } = await node(file)
    t.match(stdout, /^1\.\.\d+$/m)
    t.notMatch(stdout, /^ *not ok/m)
  })
}
