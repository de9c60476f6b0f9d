import { pino } from 'pino'
import t from 'tap'
import { onPostgres, testServer } from '../../../../test/runner/harness.ts'
import { runInProcess } from '../../../../test/runner/run-in-process.ts'
import { contract } from '../../../api/contract.ts'
import { definePlugin, dependsOn } from '../../../api/plugin.ts'
import { configure } from '../../../config/config.ts'
import { version } from '../../../http/openapi.ts'
import { build } from '../../../kernel/server.ts'

const notes = definePlugin(dependsOn(contract()('notes')), {
  summary: 'Has tables',
  migrations: { '001_notes': async () => ({ async up() {} }), '002_more': async () => ({ async up() {} }) }
})
const also = { notes: async () => ({ default: notes }) }

t.test('upgrade applies the migrations that upgrade --check names', async t => {
  const before = await testServer({ plugins: [] })
  t.teardown(() => before.close())
  const { databaseUrl } = before
  const configuration = await configure(also, {
    ...(databaseUrl !== undefined && { databaseUrl }),
    plugins: { notes: { enabled: true } }
  })
  const database = onPostgres ? {} : { dataDir: undefined, template: await before.database.dump() }
  const server = await build({ configuration, logger: pino({ level: 'silent' }), database })
  t.teardown(() => server.close())

  const names = 'notes/001_notes\nnotes/002_more\n'
  for (let n = 0; n < 2; n++) {
    t.strictSame(await runInProcess(server, ['upgrade', '--check']), {
      code: 3,
      out: names,
      err: `tracker ${version} would apply 2 migrations.\n`
    })
  }
  t.strictSame(await runInProcess(server, ['upgrade']), {
    code: 0,
    out: names,
    err: `tracker ${version} applied 2 migrations.\n`
  })
  for (const args of [['upgrade'], ['upgrade', '--check']]) {
    t.match(await runInProcess(server, args), { code: 0, out: '', err: /^The database is up to date/ })
  }
})
