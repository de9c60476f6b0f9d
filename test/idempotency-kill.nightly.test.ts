import t from 'tap'
import { newToken } from '../core/auth/tokens.ts'
import { migratedDatabase } from './runner/empty-database.ts'
import { onlyPlugins, startProcess } from './runner/process.ts'

/** Number of kills; IDEMPOTENCY_KILLS=50 is a thorough run. */
const KILLS = Number(process.env['IDEMPOTENCY_KILLS'] ?? 4)
/** Milliseconds from the sending of the commit to the kill; negative: before it is sent. */
const MOMENTS_MS = [-1, 0, 1, 2, 5]

const token = newToken()

interface Answer {
  status: number
  body: string
  isReplayed: boolean
}

async function create(url: string, title: string): Promise<Answer> {
  const answer = await fetch(`${url}/v1/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': title },
    body: JSON.stringify({ teamId: 'ENG', title })
  })
  const isReplayed = answer.headers.get('idempotency-replayed') === 'true'
  return { status: answer.status, body: await answer.text(), isReplayed }
}

/** @returns undefined when the server ends before its answer */
const createUnlessKilled = (url: string, title: string): Promise<Answer | undefined> =>
  create(url, title).catch((error: unknown) => {
    if (error instanceof TypeError) return undefined
    throw error
  })

t.test('after a kill -9 around the commit, the same request has one effect, and its first answer', async t => {
  const database = await migratedDatabase(process.env['TEST_DATABASE_URL'])
  t.teardown(database.remove)
  const start = () =>
    startProcess(
      {
        TRACKER_ADMIN_TOKEN: token,
        ...database.env,
        ...onlyPlugins('workspace', 'issues'),
        TRACKER_PLUGINS__ARMING__ENABLED: 'true'
      },
      'test/killed-server.ts'
    )
  const wrong: unknown[] = []
  const stored: Record<string, number> = {}
  let server = await start()
  t.teardown(() => server.end('SIGKILL'))
  for (let kill = 0; kill < KILLS; kill++) {
    const afterMs = MOMENTS_MS[kill % MOMENTS_MS.length]!
    await fetch(`${server.url}/arm?afterMs=${afterMs}`, { method: 'POST' })
    const first = await createUnlessKilled(server.url, `Issue ${kill}`)
    await server.end('SIGKILL')
    server = await start()
    const retry = await create(server.url, `Issue ${kill}`)
    if (retry.isReplayed) stored[`${afterMs} ms`] = (stored[`${afterMs} ms`] ?? 0) + 1
    const again = await create(server.url, `Issue ${kill}`)
    const isRight =
      retry.status === 201 && again.isReplayed && again.body === retry.body && (!first || first.body === retry.body)
    if (!isRight) wrong.push({ afterMs, first, retry, again })
  }
  t.strictSame(wrong, [])
  const all = await fetch(`${server.url}/v1/issues/filter`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}'
  })
  const storedTitles = ((await all.json()) as Array<{ title: string }>).map(({ title }) => title)
  const titles = Array.from({ length: KILLS }, (_, n) => `Issue ${n}`)
  t.strictSame(storedTitles.sort(), titles.sort(), 'one issue for each request')
  t.comment(`stored before the kill, by the moment after the commit was sent: ${JSON.stringify(stored)}`)
})
