import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newToken } from '../core/tokens.ts'
import { emptyDatabase } from '../test/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/process.ts'
import { measure, type Load } from './load.ts'

/*
 * `npm run bench:versions -- --other DIR [--database URL] [--seconds 2] [--turns 10]`: creates and updates by the
 * server of this checkout and by that of another one, in turns. Each begins when all that the last caused is done.
 */
const { values: options } = parseArgs({
  options: {
    other: { type: 'string' },
    database: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string', default: '10' }
  }
})
if (options.other === undefined) throw new Error('Name the other checkout: npm run bench:versions -- --other DIR')
const [seconds, turns] = [Number(options.seconds), Number(options.turns)]
const CONNECTIONS = 16
const ISSUES = 100

const token = newToken()
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const filed = (title: string) => ({
  teamId: 'ENG',
  title,
  descriptionMarkdown:
    'It fails after a restart, but only when the list is longer than one page.\n\n- [ ] it is there\n'
})

interface Version {
  name: string
  server: ServerProcess
  loads: Record<string, Load['requests']>
  stop(): Promise<void>
}
async function start(name: string, folder: string | URL): Promise<Version> {
  const database = await emptyDatabase(options.database)
  const server = await startProcess(
    { ...database.env, TRACKER_ADMIN_TOKEN: token, LOG_LEVEL: 'error' },
    'core/main.ts',
    folder
  )
  const answer = await fetch(`${server.url}/v1/issues/bulk`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ issues: Array.from({ length: ISSUES }, (_, n) => filed(`Issue ${n}`)) })
  })
  if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`)
  const { issues } = (await answer.json()) as { issues: Array<{ id: string }> }
  return {
    name,
    server,
    loads: {
      create: [{ method: 'POST', path: '/v1/issues', body: JSON.stringify(filed('Created [<id>]')) }],
      update: issues.map(({ id }) => ({
        method: 'POST',
        path: `/v1/issues/${id}`,
        body: JSON.stringify({ title: 'Changed [<id>]' })
      }))
    },
    async stop() {
      await server.end('SIGTERM')
      await database.remove()
    }
  }
}

/** Waits until no job waits and no consumer is behind. */
async function untilDone({ server }: Version): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${server.url}/metrics`, { headers })).text()
    const waiting = text.matchAll(/^(?:tracker_jobs_pending|tracker_event_consumer_lag_events\{[^}]*\}) (\d+)/gm)
    if ([...waiting].every(([, count]) => count === '0')) return
    await sleep(100)
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const [here, there] = [await start('here', new URL('..', import.meta.url)), await start('there', options.other)]
try {
  for (const name of Object.keys(here.loads)) {
    const rates = new Map([here, there].map(version => [version, [] as number[]]))
    // The first turn warms up.
    for (let turn = -1; turn < turns; turn++) {
      for (const version of turn % 2 === 0 ? [here, there] : [there, here]) {
        await untilDone(version)
        const { requestsPerSecond, failed } = await measure({
          url: version.server.url,
          token,
          connections: CONNECTIONS,
          seconds,
          requests: version.loads[name]!
        })
        if (failed > 0) throw new Error(`${version.name}: ${failed} requests failed`)
        if (turn >= 0) rates.get(version)!.push(requestsPerSecond)
      }
    }
    // With as many connections, the time of a request is the inverse of their rate.
    const ratios = rates.get(there)!.map((rate, turn) => rate / rates.get(here)![turn]!)
    const error = Math.sqrt(mean(ratios.map(ratio => (ratio - mean(ratios)) ** 2)) / Math.max(1, turns - 1))
    for (const [version, all] of rates) console.log(`${name}, ${version.name}: ${mean(all).toFixed(0)}/s`)
    console.log(`${name}: time here / there: ${mean(ratios).toFixed(2)} ± ${error.toFixed(2)}`)
  }
} finally {
  await here.stop()
  await there.stop()
}
