import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { configure } from '../core/config/config.ts'
import { build } from '../core/kernel/server.ts'
import { newToken } from '../core/auth/tokens.ts'
import { installed } from '../plugins/index.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { loadBoard } from './boards.ts'
import { toolMessage } from './client.ts'

/*
 * `npm run bench:mcp-parts -- --database URL [--calls 400]`: the cost of `get_task` in this process with
 * `plugins/mcp/fast-path/` and without it, in alternating rounds. Processor time is measured, so that other work on the
 * machine matters less; on a PostgreSQL server, so that the database's work is not counted.
 */
const { values: options } = parseArgs({
  options: { database: { type: 'string' }, calls: { type: 'string', default: '400' } }
})
if (options.database === undefined) throw new Error('Name a PostgreSQL server: --database URL')
const calls = Number(options.calls)
const TURNS = 12
const ISSUES = 200

const token = newToken()
const authorization = `Bearer ${token}`
const database = await emptyDatabase(options.database)
const databaseUrl = 'DATABASE_URL' in database.env ? database.env.DATABASE_URL : ''
const names = Object.keys(installed).filter(name => name !== 'search' && name !== 'knowledge')
const start = async (fastPath: boolean) => {
  const configuration = await configure(installed, {
    databaseUrl,
    maxEventLoopDelay: 0,
    jobs: false,
    plugins: {
      ...Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: names.includes(name) }])),
      workspace: { enabled: true, adminToken: token },
      mcp: { enabled: true, rateLimit: 0, fastPath }
    }
  })
  const server = await build({ configuration, logger: pino({ level: 'silent' }) })
  await server.start()
  return server
}
const [fast, plain] = [await start(true), await start(false)]
try {
  await loadBoard({ url: databaseUrl }, ISSUES)

  const accept = 'application/json, text/event-stream'
  const message = async ({ app }: typeof fast) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/mcp',
      headers: { authorization, accept },
      payload: toolMessage('get_task', { task: 'ENG-7' })
    })
    if (answer.json<{ result?: { isError?: boolean } }>().result?.isError !== undefined) throw new Error(answer.body)
  }

  const workloads = { 'with the fast path': () => message(fast), without: () => message(plain) }
  const microseconds = new Map<string, number[]>()
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, run] of Object.entries(workloads)) {
      const before = process.cpuUsage()
      for (let n = 0; n < calls; n++) await run()
      const { user, system } = process.cpuUsage(before)
      if (turn > 0) microseconds.set(name, [...(microseconds.get(name) ?? []), (user + system) / calls])
    }
  }
  const median = (name: string) => microseconds.get(name)!.sort((a, b) => a - b)[Math.floor((TURNS - 1) / 2)]!
  for (const name of microseconds.keys()) console.log(`${name.padEnd(22)}${median(name).toFixed(0).padStart(6)} µs`)
} finally {
  await Promise.all([fast.close(), plain.close()])
  await database.remove()
}
