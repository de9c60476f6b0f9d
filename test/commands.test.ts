import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { configure } from '../core/config/config.ts'
import { commands } from '../core/api/points.ts'
import { build } from '../core/kernel/server.ts'
import { installed } from '../plugins/index.ts'
import { trackerIn } from './runner/process.ts'
import { fillDataDirectory } from './runner/templates.ts'

const tracker = (dataDir: string, ...args: string[]) => trackerIn({ TRACKER_DATA_DIR: dataDir }, ...args)

t.test('the help of every command describes each of its arguments', async t => {
  const configuration = await configure(installed, {
    plugins: Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: true }]))
  })
  const server = await build({ configuration, logger: pino({ level: 'silent' }) })
  t.teardown(() => server.close())
  const known = server.contributions(commands).map(({ item }) => item)
  t.ok(known.length >= 6)
  for (const { name, usage, summary, help } of known) {
    t.ok(help.startsWith(`npm run tracker -- ${`${name} ${usage}`.trim()}\n\n${summary}`), help)
    for (const word of usage.match(/--[a-z-]+|\b[A-Z]+\b/g) ?? []) {
      t.match(help.slice(help.indexOf(summary)), new RegExp(`\\b${word.replace(/^--/, '')}\\b`), `${name}: ${word}`)
    }
    t.match(help, /^ {2}--help /m)
  }
})

t.test('COMMAND --help acts upon nothing', async t => {
  const dir = join(t.testdir(), 'data')
  t.match(await tracker(dir, 'reindex', '--help'), { code: 0, out: /^npm run tracker -- reindex\n/, err: '' })
  t.notOk(existsSync(dir), 'the database was not opened')
})

t.test('an unknown option is refused before the database is opened', async t => {
  const dir = join(t.testdir(), 'data')
  t.match(await tracker(dir, 'reindex', '--all'), { code: 1, out: '', err: /^Unknown option '--all'\./ })
  t.notOk(existsSync(dir))
})

t.test('a command that only reads makes no database where there is none, and says where it looked', async t => {
  const dir = join(t.testdir(), 'data')
  for (const args of [['export'], ['workspaces', 'list'], ['events'], ['reindex']]) {
    t.match(await tracker(dir, ...args), {
      code: 1,
      out: '',
      err: `There is no database in ${dir}: set TRACKER_DATA_DIR`
    })
  }
  t.notOk(existsSync(dir))
})

t.test('model install does nothing where the packages are, and refuses an option that it does not know', async t => {
  const dir = join(t.testdir(), 'data')
  t.match(await tracker(dir, 'model', 'install'), { code: 0, out: '', err: /installed already: .*onnxruntime-node \d/ })
  t.match(await tracker(dir, 'model', 'install', '--to', dir), { code: 1, out: '', err: /^Unknown option '--to'\./ })
  t.notOk(existsSync(dir), 'the database was not opened')
})

t.test('an import reads a file that begins with a byte order mark, and reports a line that is not UTF-8', async t => {
  const dir = t.testdir({})
  const lines = [
    Buffer.from('\uFEFF{"kind":"label","name":"Urgent"}\n'),
    Buffer.from('{"kind":"label","name":"Gr\u00FCn"}\n', 'latin1')
  ]
  writeFileSync(join(dir, 'board.jsonl'), Buffer.concat(lines))
  await fillDataDirectory(join(dir, 'data'))
  const { code, err } = await tracker(join(dir, 'data'), 'import', join(dir, 'board.jsonl'))
  t.match({ code, err }, { code: 2, err: /Added: 1 label.*\nSkipped line 2: it is not UTF-8: convert the file\n$/ })
  t.match(await tracker(join(dir, 'data'), 'import', dir), { code: 1, err: /is a folder: name a file/ })
})

t.test('an import reports what it leaves out by kind and reason, and all of it in a file', async t => {
  const rows = Array.from(
    { length: 5 },
    (_, n) => `{"kind":"relation","issue":"a${n}","type":"BLOCKS","relatedIssue":"b"}`
  )
  const dir = t.testdir({ 'board.jsonl': [...rows, 'nonsense', '{"kind":"label","name":"Urgent"}'].join('\n') })
  await fillDataDirectory(join(dir, 'data'))
  const run = (report: string) => tracker(join(dir, 'data'), 'import', join(dir, 'board.jsonl'), '--report', report)
  const { code, err } = await run(join(dir, 'report.json'))
  t.match(
    { code, err },
    { code: 2, err: /\nSkipped 5 relations: there is no issue 'a0', e\.g\. line 1, line 2, line 3\n/ }
  )
  t.match(err, /\nSkipped line 6: it is no JSON\n/)
  const report = JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8')) as { skipped: Array<{ reason: string }> }
  t.match(report, { dryRun: false, added: { label: 1 }, kept: [], leftOut: [], shortened: [] })
  t.equal(report.skipped.length, 6)
  t.match(report.skipped.at(-1)?.reason, /'a4'|no JSON/)
  t.match(await run(join(dir, 'nowhere', 'report.json')), {
    code: 1,
    err: /The report .* cannot be written \(ENOENT\): name a file that this user may write/
  })
})

t.test('an import that leaves lines out ends with exit code 2', async t => {
  const dir = t.testdir({ 'board.jsonl': '{"kind":"label","name":"Urgent"}\nnonsense\n' })
  await fillDataDirectory(join(dir, 'data'))
  const { code, err } = await tracker(join(dir, 'data'), 'import', join(dir, 'board.jsonl'))
  t.match({ code, err }, { code: 2, err: /Added: 1 label.*\nSkipped line 2: it is no JSON\n$/ })
})
