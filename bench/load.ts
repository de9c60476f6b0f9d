import { fork } from 'node:child_process'
import autocannon from 'autocannon'

export interface Load {
  url: string
  token: string
  connections: number
  /** Undefined: until every request was sent once, by one of the connections. */
  seconds: number | undefined
  /** Each connection repeats all of them in its own order; `[<id>]` in a body becomes a different text each time. */
  requests: { method: 'GET' | 'POST'; path: string; body?: string; headers?: Record<string, string> }[]
}

/** Without search: indexing would compete with the requests for the same cores. bench/search.ts measures it. */
export const NO_INDEXING = {
  TRACKER_PLUGINS__SEARCH__ENABLED: 'false',
  TRACKER_PLUGINS__KNOWLEDGE__ENABLED: 'false'
}

/** Latencies in milliseconds; `failed` counts answers that are not 2xx, errors and timeouts. */
export interface Measured {
  requestsPerSecond: number
  p50: number
  p95: number
  p99: number
  failed: number
}

/** Sends the load from a process of its own, so that the client does not slow the server's event loop. */
export function measure(load: Load): Promise<Measured> {
  return new Promise((resolve, reject) => {
    // JSON would turn NaN into null: a percentile without any answer in time.
    const child = fork(import.meta.filename, { serialization: 'advanced' })
    child.once('message', result => resolve(result as Measured))
    child.once('exit', code => reject(new Error(`The load client ended with exit code ${code} and no result.`)))
    child.send(load)
  })
}

/** Seconds of load in which V8 compiles the code of a request: after nine it compiles hardly anything more. */
const COMPILING_SECONDS = 10

/** Sends requests until their code is compiled, so that the next measurement does not pay for it. */
export async function compile(load: Omit<Load, 'connections' | 'seconds'>): Promise<void> {
  await measure({ ...load, connections: 16, seconds: COMPILING_SECONDS })
}

const COLUMNS = ['conns', 'req/s', 'p50 ms', 'p95 ms', 'p99 ms']
const columns = (cells: string[]) => cells.map(cell => cell.padStart(9)).join('')
const WORKLOAD_WIDTH = 34
export const heading = (): string => 'workload'.padEnd(WORKLOAD_WIDTH) + columns(COLUMNS)
export const row = (
  workload: string,
  connections: number,
  { requestsPerSecond, p50, p95, p99, failed }: Measured
): string =>
  workload.padEnd(WORKLOAD_WIDTH) +
  columns([
    String(connections),
    ...[requestsPerSecond, p50, p95, p99].map(value => (value >= 100 ? value.toFixed(0) : value.toPrecision(3)))
  ]) +
  (failed > 0 ? `  ${failed} FAILED` : '')

async function run({ url, token, connections, seconds, requests }: Load): Promise<Measured> {
  const authorization = `Bearer ${token}`
  const ready = requests.map(request => ({
    ...request,
    headers: {
      authorization,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...request.headers
    }
  }))
  const times: number[] = []
  const started = performance.now()
  let ended = started
  let clients = 0
  const shareOf = (client: number) => ready.filter((_, n) => n % connections === client)
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        ...(seconds === undefined ? { amount: ready.length } : { duration: seconds }),
        idReplacement: requests.some(({ body }) => body?.includes('[<id>]')),
        setupClient: client => client.setRequests(seconds === undefined ? shareOf(clients++) : shuffled(ready))
      },
      (error, result) => (error ? reject(error) : resolve(result))
    )
    // autocannon's own histogram has no p95, and only whole milliseconds.
    instance.on('response', (_client, _status, _bytes, milliseconds) => {
      times.push(milliseconds)
      ended = performance.now()
    })
  })
  times.sort((a, b) => a - b)
  const percentile = (share: number) => times[Math.ceil(times.length * share) - 1] ?? NaN
  return {
    // For requests that are sent once: autocannon's duration is in whole seconds.
    requestsPerSecond: times.length / (seconds === undefined ? (ended - started) / 1000 : result.duration),
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    failed: result.non2xx + result.errors + result.timeouts
  }
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map(item => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  process.once('message', load => {
    run(load as Load).then(
      result => process.send?.(result, () => process.exit()),
      error => {
        console.error(error)
        process.exit(1)
      }
    )
  })
}
