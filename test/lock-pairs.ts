import type { Test } from 'tap'
import { testServer, type TestServer } from './runner/harness.ts'
import { readSamples, type LockRequest, type Make, type Names } from './samples.ts'
import { onNodes } from './runner/templates.ts'

/** Concurrent requests to each route of a pair. */
const COPIES = 2
/** Concurrent pairs, each on issues of its own. */
const CONCURRENT_PAIRS = 6

export const samples = await readSamples()
/** The requests of each route that lock much. */
export const locks: Record<string, readonly LockRequest[]> = Object.assign({}, ...samples.map(({ locks }) => locks))

/**
 * Sends the requests of two routes to one issue at the same time, for each pair of routes.
 * @param step 3: only every third pair
 */
export async function assertNoDeadlocks(t: Test, step: number): Promise<void> {
  const server = await testServer({
    settings: { databasePool: 30, plugins: { delegation: { runner: { command: ['true'] } } } }
  })
  t.teardown(() => server.close())
  const states = await statesOf(server)
  const tokens = [server.token, (await server.agent('Second', ['read', 'write', 'delete'])).token]
  const requests = Object.entries(locks).flatMap(([route, list]) => list.map(request => ({ route, request })))
  const pairs = requests
    .flatMap((one, i) => requests.slice(i).map(two => [one, two] as const))
    .filter((_, n) => n % step === 0)
  const failed: string[] = []

  /** @returns the subject, unless a request has removed something of it */
  async function attempt([one, two]: (typeof pairs)[number], previous: Names | undefined): Promise<Names | undefined> {
    const subject = previous ?? (await subjectOn(server, states))
    const calls = Array.from({ length: 2 * COPIES }, (_, n) => {
      const [path, call] = (n % 2 ? two : one).request(subject, n >> 1)
      return server.call(path, { ...call, token: tokens[(n >> 1) % tokens.length]! })
    })
    for (const { statusCode, body } of await Promise.all(calls)) {
      if (statusCode >= 500) failed.push(`${one.route} with ${two.route}: ${body}`)
    }
    return [one, two].some(({ route }) => route.startsWith('DELETE')) ? undefined : subject
  }
  const waiting = pairs.values()
  await Promise.all(
    Array.from({ length: CONCURRENT_PAIRS }, async () => {
      let subject: Names | undefined
      for (const pair of waiting) subject = await attempt(pair, subject)
    })
  )
  await server.close()
  t.strictSame(failed, [])
  t.equal(await deadlocksOf(server.databaseUrl!), 0, 'deadlocks that the database counted, those tried again included')
}

/** The states of the team ENG by name: `inReview`. Adds the team OPS. */
export async function statesOf(server: TestServer): Promise<Names> {
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const states = await server.ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')
  const nameOf = (name: string) => name[0]!.toLowerCase() + name.slice(1).replaceAll(' ', '')
  return Object.fromEntries(states.map(({ id, name }) => [nameOf(name), id]))
}

let subjects = 0
let latest: Names = {}
/** An issue with everything that a route can name. */
async function subjectOn(server: TestServer, states: Names): Promise<Names> {
  const n = ++subjects
  const make: Make = (path, body) => server.ok(path, { body })
  const names = { ...latest, ...states }
  for (const { lockRecords } of samples) Object.assign(names, await lockRecords?.(make, names, n))
  return (latest = names)
}

/** Deadlocks that the database counted, those tried again included; closes all connections. */
export async function deadlocksOf(databaseUrl: string): Promise<number> {
  // A connection reports its counts when it ends; those between the nodes of Citus may still be open.
  await onNodes(
    databaseUrl,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
  )
  const rows = await onNodes<{ deadlocks: string }>(
    databaseUrl,
    'select deadlocks from pg_stat_database where datname = current_database()'
  )
  return rows.reduce((sum, { deadlocks }) => sum + Number(deadlocks), 0)
}
