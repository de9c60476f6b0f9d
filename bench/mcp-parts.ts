import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { configure } from '../core/config/config.ts'
import { build } from '../core/kernel/server.ts'
import { newToken } from '../core/auth/tokens.ts'
import { installed } from '../plugins/index.ts'
import { mcpTools, type ToolCall } from '../plugins/mcp/contract.ts'
import { sendInside } from '../plugins/mcp/fast-path/inner-request.ts'
import { callOf } from '../plugins/mcp/protocol/loopback.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { loadBoard } from './boards.ts'

/*
 * `npm run bench:mcp-parts -- --database URL [--calls 400]`: the cost of `get_task` in this process with the own code
 * around it (`plugins/mcp/fast-path/direct-call.ts`) and with the SDK's handler. Processor time is measured, so that
 * other work on the machine matters less; on a PostgreSQL server, so that the database's work is not counted.
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
const configuration = await configure(installed, {
  databaseUrl,
  maxEventLoopDelay: 0,
  plugins: {
    ...Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: names.includes(name) }])),
    workspace: { enabled: true, adminToken: token },
    mcp: { enabled: true, rateLimit: 0 }
  }
})
const server = await build({ configuration, logger: pino({ level: 'silent' }) })
try {
  await server.start()
  await loadBoard({ url: databaseUrl }, ISSUES)
  await server.jobs.stop()
  const { app } = server

  const me = (await app.inject({ url: '/v1/users/me', headers: { authorization } })).json<{
    id: string
  }>()
  const getTask = server.contributions(mcpTools).find(({ item }) => item.name === 'get_task')!.item
  const call: ToolCall = callOf(
    request => sendInside(app, request),
    { id: 'bench', headers: { authorization } },
    me.id,
    {}
  )

  const accept = 'application/json, text/event-stream'
  const message = async (_meta: object) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/mcp',
      headers: { authorization, accept },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_task', arguments: { task: 'ENG-7' }, _meta }
      }
    })
    if (answer.json<{ result?: { isError?: boolean } }>().result?.isError !== undefined) throw new Error(answer.body)
  }

  const workloads = {
    tool: () => getTask.handle({ task: 'ENG-7' }, call),
    'message, direct call': () => message({}),
    // The unknown key makes the library handle the message.
    'message, SDK': () => message({ 'io.modelcontextprotocol/unheard-of': true })
  }
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
  await server.close()
  await database.remove()
}
