import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { configure } from '../core/config.ts'
import { commands } from '../core/points.ts'
import { build } from '../core/server.ts'
import { installed } from '../plugins/index.ts'
import { TRACKER_COMMAND } from './process.ts'
import { fillDataDirectory } from './templates.ts'

/** Runs a command line as its user does. */
function tracker(dataDir: string, ...args: string[]): Promise<{ code: number | string; out: string; err: string }> {
  const env = { PATH: process.env['PATH'], TRACKER_DATA_DIR: dataDir }
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [...TRACKER_COMMAND, ...args],
      { cwd: new URL('..', import.meta.url), env },
      (error, out, err) => resolve({ code: error?.code ?? 0, out, err })
    )
  })
}

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

t.test('an import that leaves lines out ends with exit code 2', async t => {
  const dir = t.testdir({ 'board.jsonl': '{"kind":"label","name":"Urgent"}\nnonsense\n' })
  await fillDataDirectory(join(dir, 'data'))
  const { code, err } = await tracker(join(dir, 'data'), 'import', join(dir, 'board.jsonl'))
  t.match({ code, err }, { code: 2, err: /Added: 1 label.*\nSkipped line 2: it is no JSON\n$/ })
})
