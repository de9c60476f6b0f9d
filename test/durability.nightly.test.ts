import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { newToken } from '../core/auth/tokens.ts'
import { migratedDatabase } from './runner/empty-database.ts'
import { onlyPlugins, startProcess } from './runner/process.ts'

/** Number of kills, and of concurrent clients. */
const KILLS = Number(process.env['DURABILITY_KILLS'] ?? 3)
const WRITERS = 6

const TRACKER_ADMIN_TOKEN = newToken()
const { TEST_DATABASE_URL } = process.env

/** The environment of a server on an empty database, which is removed when the test ends. */
async function environment(t: Test): Promise<Record<string, string>> {
  const database = await migratedDatabase(TEST_DATABASE_URL)
  t.teardown(database.remove)
  return { TRACKER_ADMIN_TOKEN, ...database.env }
}

const reading = onlyPlugins('workspace', 'issues', 'comments')

/** A client's knowledge of an issue whose creation was acknowledged. */
interface Known {
  id: string
  /** The possible titles: the last acknowledged one, and one that was sent later without an answer. */
  titles: string[]
  comments: string[]
}

/** @throws Error with the answer, unless that is 2xx. */
async function send<T>(url: string, method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${TRACKER_ADMIN_TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text) as T
}

/** Creates, changes and comments on issues until the server is gone: fetch then throws a TypeError. */
async function writeUntilGone(url: string, known: Known[]): Promise<void> {
  for (let n = 1; ; n++) {
    try {
      const { id } = await send<{ id: string }>(url, 'POST', '/v1/issues', {
        teamId: 'ENG',
        title: `Issue ${n}`,
        descriptionMarkdown: `- [ ] criterion ${n}`
      })
      const issue: Known = { id, titles: [`Issue ${n}`], comments: [] }
      known.push(issue)
      issue.titles.push(`Changed ${n}`)
      await send(url, 'POST', `/v1/issues/${id}`, { title: `Changed ${n}` })
      issue.titles.shift()
      const comment = await send<{ id: string }>(url, 'POST', `/v1/issue_comments?issueId=${id}`, {
        bodyMarkdown: `Note ${n}`
      })
      issue.comments.push(comment.id)
    } catch (error) {
      if (error instanceof TypeError) return
      throw error
    }
  }
}

const writers = (url: string, known: Known[]) =>
  Promise.all(Array.from({ length: WRITERS }, () => writeUntilGone(url, known)))

/** The issues that differ from their acknowledged state, and the keys of all. */
async function compare(url: string, known: readonly Known[]): Promise<{ lost: unknown[]; keys: Set<string> }> {
  const keys = new Set<string>()
  const lost: unknown[] = []
  for (const { id, titles, comments } of known) {
    const issue = await send<{ key: string; title: string; descriptionMarkdown: string; comments: { id: string }[] }>(
      url,
      'GET',
      `/v1/issues/${id}/context`
    )
    const ids = issue.comments.map(comment => comment.id)
    keys.add(issue.key)
    if (!titles.includes(issue.title) || !comments.every(comment => ids.includes(comment))) {
      lost.push({ id, titles, comments, found: issue })
    }
  }
  return { lost, keys }
}

t.test('acknowledged writes survive repeated kills of the server', async t => {
  const env = await environment(t)
  const known: Known[] = []
  for (let n = 0; n < KILLS; n++) {
    const server = await startProcess(env)
    const writing = writers(server.url, known)
    const before = known.length
    while (known.length < before + WRITERS) await sleep(10)
    await sleep(Math.random() * 1000)
    await server.end('SIGKILL')
    await writing
  }

  const { url, end } = await startProcess({ ...env, ...reading })
  t.teardown(() => end('SIGKILL'))
  const { lost, keys } = await compare(url, known)
  t.strictSame(lost, [])
  t.equal(keys.size, known.length, 'every issue has a key of its own')
  t.comment(`${known.length} issues over ${KILLS} kills`)
})

t.test('SIGTERM ends the server in order while it is being written to', async t => {
  const env = await environment(t)
  const server = await startProcess(env)
  const known: Known[] = []
  // Refusals are fine while it stops; acknowledged writes must persist.
  const writing = writers(server.url, known).catch((error: Error) => t.match(error.message, / 503 /))
  while (known.length < WRITERS * 4) await sleep(10)
  const code = await Promise.race([
    server.end('SIGTERM'),
    sleep(10_000, 'still running after 10 seconds', { ref: false })
  ])
  t.equal(code, 0)
  await writing

  const { url, end } = await startProcess({ ...env, ...reading })
  t.teardown(() => end('SIGKILL'))
  for (const { id, titles } of known) {
    const issue = await send<{ title: string }>(url, 'GET', `/v1/issues/${id}`)
    if (!titles.includes(issue.title)) t.fail(`${id} is ${issue.title} instead of ${titles.join(' or ')}`)
  }
})

t.test(
  'of three servers that start at once after a kill one serves the folder, and nothing is lost',
  { skip: TEST_DATABASE_URL ? 'embedded only' : false },
  async t => {
    const env = { ...(await environment(t)), ...reading }
    const known: Known[] = []
    let server = await startProcess(env)
    t.teardown(() => server.end('SIGKILL'))
    for (let n = 0; n < KILLS; n++) {
      const writing = writers(server.url, known)
      const before = known.length
      while (known.length < before + WRITERS) await sleep(10)
      await server.end('SIGKILL')
      await writing

      const starts = await Promise.allSettled([startProcess(env), startProcess(env), startProcess(env)])
      const ready = starts.filter(start => start.status === 'fulfilled').map(({ value }) => value)
      for (const { end } of ready.slice(1)) await end('SIGKILL')
      t.equal(ready.length, 1, 'one is ready')
      for (const start of starts) {
        if (start.status === 'rejected') t.match(start.reason, { message: /in use by another tracker process/ })
      }
      server = ready[0]!
    }
    t.strictSame((await compare(server.url, known)).lost, [])
  }
)

t.test(
  'a second process on one data directory is refused with a sentence',
  { skip: TEST_DATABASE_URL ? 'embedded only' : false },
  async t => {
    const env = { ...(await environment(t)), ...onlyPlugins('workspace') }
    const first = await startProcess(env)
    t.teardown(() => first.end('SIGKILL'))
    await t.rejects(startProcess(env), {
      message: /exit code [1-9]\d*: .*data directory .* is in use by another tracker process/s
    })
    await send(first.url, 'GET', '/v1/users/me')
  }
)
