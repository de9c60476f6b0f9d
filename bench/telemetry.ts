/*
 * The cost of telemetry per request, as ratios of processor time in one run: servers without it, without it again (for
 * the noise), and with it take turns. `node --require ./core/start/preload.cjs bench/telemetry.ts`
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { configure } from '../core/config/config.ts'
import { insertToken } from '../core/auth/accounts.ts'
import { build } from '../core/kernel/server.ts'
import { loadTelemetry } from '../core/telemetry/load.ts'
import { installed } from '../plugins/index.ts'

const [ROUNDS, REQUESTS] = [9, 300]
const collector = createServer((request, response) => request.resume().on('end', () => response.end()))
await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

async function start(telemetry: boolean) {
  const on = ['workspace', 'issues', 'comments', 'projects', 'claims', 'proof']
  const plugins = Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: on.includes(name) }]))
  const configuration = await configure(installed, { telemetry, jobs: false, plugins })
  const database = { dataDir: undefined }
  const server = await build({ configuration, logger: pino({ level: 'silent' }), database, loadTelemetry })
  await server.start()
  const { db } = server.database
  const { id: accountId, workspaceId } = await db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
  const { token } = await db.transaction().execute(trx => insertToken(trx, workspaceId, { accountId, name: 'Bench' }))
  const headers = { authorization: `Bearer ${token}` }
  const body = { teamId: 'ENG', title: 'An issue' }
  const { statusCode } = await server.app.inject({ method: 'POST', url: '/v1/issues', headers, payload: body })
  if (statusCode !== 201) throw new Error(`The issue was answered with ${statusCode}.`)
  return { server, send: () => server.app.inject({ url: '/v1/issues/ENG-1/context', headers }) }
}

const servers = { without: await start(false), again: await start(false), with: await start(true) }
const spent: Record<string, number[]> = { without: [], again: [], with: [] }
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, { send }] of Object.entries(servers)) {
    const before = process.cpuUsage()
    for (let n = 0; n < REQUESTS; n++) await send()
    const { user, system } = process.cpuUsage(before)
    spent[name]!.push((user + system) / REQUESTS)
  }
}
const median = (name: string): number => spent[name]!.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
for (const name of ['again', 'with']) {
  console.log(`${name} / without: ${(median(name) / median('without')).toFixed(2)} (${Math.round(median(name))} µs)`)
}
for (const { server } of Object.values(servers)) await server.close()
collector.close()
