import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { onPostgres, testServer } from './runner/harness.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const run = promisify(execFile)
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false
)

interface Exposed {
  name: string
  type: string
  help: string
}
const exposedIn = (text: string): Exposed[] =>
  [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \1 (\w+)$/gm)].map(([, name, help, type]) => ({
    name: name!,
    type: type!,
    help: help!
  }))

const backupFolder = t.testdir()
const server = await testServer({ settings: { dataDir: backupFolder, backupFolder } })
t.teardown(() => server.close())
// An answer, so that the histogram of requests has a value.
await server.ok('/v1/users/me')
const { body: text } = await server.call('/metrics')
const exposed = exposedIn(text)

t.test('names and types follow the conventions of Prometheus', async t => {
  t.equal(exposed.length, text.match(/^# TYPE /gm)!.length, 'each has a help')
  for (const { name, type } of exposed) {
    t.match(name, /^(?:tracker|http|nodejs|process)_[a-z0-9_]+$/)
    t.equal(name.endsWith('_total'), type === 'counter', name)
    t.notMatch(name, /_(?:ms|millis|milliseconds|minutes|hours|kb|mb|mib|percent|count|sum|bucket)$/)
  }
  if (!hasPromtool) return t.comment('promtool is not installed')
  const checked = run('promtool', ['check', 'metrics'])
  checked.child.stdin!.end(text)
  await t.resolves(checked)
})

t.test('labels have few values, none of them of a user', async t => {
  const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label!))
  const known = 'consumer folder kind le method outcome queue reason route space state status type version'
  const more = 'major minor patch'
  t.strictSame(
    [...labels].filter(label => !`${known} ${more}`.split(' ').includes(label)),
    []
  )
})

t.test('docs/monitoring.md lists each metric, with its type and meaning', async t => {
  const listed = [...read('docs/monitoring.md').matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) \|$/gm)]
    .map(([, name, type, help]) => ({ name: name!, type: type!, help: help! }))
    .filter(({ name }) => !onPostgres || !name.startsWith('tracker_backup_'))
  const byName = (a: Exposed, b: Exposed) => (a.name < b.name ? -1 : 1)
  t.strictSame(listed.sort(byName), exposed.toSorted(byName))
})

t.test('without its database, a server still tells the rest', async t => {
  const server = await testServer({ plugins: ['workspace'] })
  t.teardown(() => server.close())
  await server.database.close()
  const { statusCode, body } = await server.call('/metrics')
  t.equal(statusCode, 200)
  t.match(body, /^tracker_database_up 0$/m)
  t.match(body, /^process_resident_memory_bytes \d/m)
  t.notMatch(body, /tracker_jobs_pending/)
})
