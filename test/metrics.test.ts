import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
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
interface Dashboard {
  panels: Array<{ type: string; targets?: Array<{ expr: string }> }>
}
interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; action: string }
}
const dashboard = JSON.parse(read('deploy/grafana/tracker.json')) as Dashboard
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: Array<{ rules: Rule[] }> }
const rules = groups.flatMap(({ rules }) => rules)

const exposedIn = (text: string): Exposed[] =>
  [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \1 (\w+)$/gm)].map(([, name, help, type]) => ({
    name: name!,
    type: type!,
    help: help!
  }))

const folder = t.testdir()
const server = await testServer({ settings: onPostgres ? {} : { dataDir: folder, backupFolder: folder } })
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
  const listed = [...read('docs/monitoring.md').matchAll(/^\| `([a-z]\w+)` \| (\w+) \| (.*?) \|$/gm)]
    .map(([, name, type, help]) => ({ name: name!, type: type!, help: help! }))
    .filter(({ name }) => !onPostgres || !name.startsWith('tracker_backup_'))
  const byName = (a: Exposed, b: Exposed) => (a.name < b.name ? -1 : 1)
  t.strictSame(listed.sort(byName), exposed.toSorted(byName))
})

t.test('the dashboard and the alert rules use metrics that a server has', async t => {
  const names = new Set(['up']) // of Prometheus itself
  for (const { name, type } of exposed) {
    names.add(name)
    if (type === 'histogram') for (const part of ['bucket', 'count', 'sum']) names.add(`${name}_${part}`)
  }
  const isBackup = (name: string) => onPostgres && name.startsWith('tracker_backup_')
  const panels = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  for (const expressions of [panels, rules.map(({ expr }) => expr)]) {
    const used = new Set(
      expressions.flatMap(expression => expression.match(/\b(?:tracker|http|nodejs|process)_\w+/g) ?? [])
    )
    t.ok(used.size > 7)
    t.strictSame(
      [...used].filter(name => !names.has(name) && !isBackup(name)),
      []
    )
  }
  t.strictSame(
    dashboard.panels.filter(({ type, targets }) => type !== 'row' && !targets?.length),
    []
  )
})

t.test('each alert says what to do, is tested and documented', async t => {
  const tests = parse(read('deploy/prometheus/alerts.test.yml')) as { tests: Array<{ name: string }> }
  const documented = [...read('docs/monitoring.md').matchAll(/^\| `(Tracker\w+)` \|/gm)].map(([, name]) => name!)
  const alerts = rules.map(({ alert }) => alert)
  t.strictSame(documented, alerts)
  for (const { alert, annotations, labels } of rules) {
    t.ok(annotations.summary && annotations.action, alert)
    t.match(labels.severity, /^(?:critical|warning)$/)
    t.ok(
      tests.tests.some(({ name }) => name === alert),
      alert
    )
  }
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
