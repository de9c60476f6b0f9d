import { randomUUID } from 'node:crypto'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { delivery, examplesOf, pullRequest, REPOSITORY, type TestHook } from './deliveries.ts'

type Payload = Record<string, unknown>
interface Context {
  state: { category: string }
  linkedIssues: Array<{ kind?: string; state?: string; title: string; id: string }>
  comments: Array<{ bodyMarkdown: string; author: { fullname: string } }>
}
const fork = { full_name: 'stranger/Hello-World' }
const merged = { merged: true, state: 'closed' }
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

t.test('a repository', async t => {
  const server = await testServer({ settings: { plugins: { git: { accounts: { mapped: 'admin@localhost' } } } } })
  t.teardown(() => server.close())
  const { ok, call } = server
  const hook = await ok<TestHook>('/v1/git/hooks', { body: { repository: REPOSITORY } })
  const deliver = async (event: string, payload: object, id: string = randomUUID()) => {
    const answer = await call(...delivery(hook, event, payload, id))
    return answer.statusCode === 200 ? answer.json<{ outcome: string }>().outcome : answer.statusCode
  }
  const fileIssue = async () =>
    (await ok<{ key: string }>('/v1/issues', { body: { title: 'Work', teamId: 'ENG' } })).key
  const context = (key: string) => ok<Context>(`/v1/issues/${key}/context`)

  t.test('links what a branch, title, text or commit names, and a mention closes nothing', async t => {
    const [branch, title, text, commit] = [await fileIssue(), await fileIssue(), await fileIssue(), await fileIssue()]
    const open = pullRequest({ title: `For ${title}`, body: `See ${text}` }, 'opened', {
      ref: `feature/${branch.toLowerCase()}-x`
    })
    t.equal(await deliver('pull_request', open), 'handled')
    for (const key of [branch, title, text]) {
      t.match((await context(key)).linkedIssues, [{ kind: 'pull_request', state: 'open' }])
    }
    Object.assign(open.pull_request, merged)
    await deliver('pull_request', { ...open, action: 'closed' })
    t.match(await context(title), { state: { category: 'UNSTARTED' }, linkedIssues: [{ state: 'merged' }] })
    const push = examplesOf('push').find(({ commits }) => (commits as object[]).length > 0)!
    Object.assign((push['commits'] as Payload[])[0]!, { message: `${commit}: done\n\nCloses ${commit}` })
    await deliver('push', push)
    t.match(await context(commit), {
      state: { category: 'UNSTARTED' },
      linkedIssues: [{ kind: 'commit', state: 'merged', title: `${commit}: done` }]
    })
  })

  t.test('a login may be what every object inherits', async t => {
    for (const login of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const key = await fileIssue()
      const pull = pullRequest({ body: `Closes ${key}`, user: { login }, ...merged }, 'closed')
      t.equal(await deliver('pull_request', pull), 'handled', login)
      t.match(await context(key), { state: { category: 'COMPLETED' }, comments: [{ author: { fullname: 'Git' } }] })
    }
  })

  t.test('a delivery that is too large is told the limit of deliveries', async t => {
    const answer = await call(...delivery(hook, 'push', { text: 'x'.repeat(5 * 1024 * 1024) }))
    t.match(answer.json(), { statusCode: 413, code: 'TOO_LARGE', message: /at most 4 MiB/ })
    const other = await call('/v1/labels', { body: { name: 'x'.repeat(9 * 1024 * 1024) } })
    t.match(other.json(), { statusCode: 413, message: /at most 8 MiB/ })
  })

  t.test('closes what a merged pull request closes, with a comment that names it', async t => {
    const keys = [await fileIssue(), await fileIssue()]
    await deliver(
      'pull_request',
      pullRequest({ title: 'Fix', body: `Closes ${keys.join(' and ')}`, ...merged }, 'closed')
    )
    for (const key of keys) {
      const closed = await context(key)
      t.equal(closed.state.category, 'COMPLETED')
      t.match(closed.comments, [{ bodyMarkdown: /#\d+ Fix/, author: { fullname: 'Git' } }])
    }
  })

  t.test('acts for the account that its author is mapped to', async t => {
    const key = await fileIssue()
    const changes = { body: `Fixes ${key}`, user: { login: 'Mapped' }, ...merged }
    await deliver('pull_request', pullRequest(changes, 'closed'))
    const me = await ok<{ fullname: string }>('/v1/users/me')
    t.match((await context(key)).comments, [{ author: { fullname: me.fullname } }], 'case does not count at GitHub')
  })

  t.test('takes pull requests of authors whose accounts GitHub has deleted', async t => {
    const key = await fileIssue()
    t.equal(await deliver('pull_request', pullRequest({ title: key, user: null })), 'handled')
    t.match(await context(key), { linkedIssues: [{ state: 'open' }] })
  })

  t.test('merged elsewhere than into the default branch closes nothing', async t => {
    const key = await fileIssue()
    const base = { ...(pullRequest().pull_request['base'] as Payload), ref: 'release' }
    await deliver('pull_request', pullRequest({ body: `Fixes ${key}`, base, ...merged }, 'closed'))
    t.match(await context(key), { state: { category: 'UNSTARTED' }, linkedIssues: [{ state: 'merged' }] })
  })

  t.test('a stranger’s fork changes no state, and is linked once it is merged', async t => {
    const key = await fileIssue()
    const open = pullRequest({ body: `Closes ${key}`, author_association: 'NONE' }, 'opened', { repo: fork })
    t.equal(await deliver('pull_request', open), 'handled')
    t.strictSame((await context(key)).linkedIssues, [])
    Object.assign(open.pull_request, merged)
    await deliver('pull_request', { ...open, action: 'closed' })
    t.match(await context(key), { state: { category: 'UNSTARTED' }, linkedIssues: [{ state: 'merged' }] })
  })

  t.test('an older delivery that comes late changes no newer state', async t => {
    const key = await fileIssue()
    const open = pullRequest({ title: key, updated_at: minutesAgo(5) })
    const done = structuredClone({ ...open, action: 'closed' })
    Object.assign(done.pull_request, { ...merged, updated_at: minutesAgo(1) })
    await deliver('pull_request', done)
    await deliver('pull_request', open)
    t.match((await context(key)).linkedIssues, [{ state: 'merged' }])
  })

  t.test('a link that was removed here stays removed', async t => {
    const key = await fileIssue()
    const open = pullRequest({ title: key, updated_at: minutesAgo(5) })
    await deliver('pull_request', open)
    await ok(`/v1/issues/${key}/links/${(await context(key)).linkedIssues[0]!.id}`, { method: 'DELETE' })
    Object.assign(open.pull_request, { title: `${key} again`, updated_at: minutesAgo(1) })
    await deliver('pull_request', open)
    t.strictSame((await context(key)).linkedIssues, [])
  })

  t.test('a delivery has an effect once, also when its body is sent with another id', async t => {
    const key = await fileIssue()
    const id = randomUUID()
    const payload = pullRequest({ body: `Closes ${key}`, ...merged }, 'closed')
    t.equal(await deliver('pull_request', payload, id), 'handled')
    await ok(`/v1/issues/${key}`, { body: { state: 'Todo' } })
    t.equal(await deliver('pull_request', payload, id), 'repeated')
    t.equal(await deliver('pull_request', payload), 'repeated')
    t.match(await context(key), { state: { category: 'UNSTARTED' }, comments: { length: 1 } })
  })

  t.test('a merge of so long ago that its delivery may be forgotten closes nothing', async t => {
    const key = await fileIssue()
    const changes = { ...merged, updated_at: minutesAgo(31 * 24 * 60) }
    await deliver('pull_request', pullRequest({ body: `Closes ${key}`, ...changes }, 'closed'))
    t.match(await context(key), { state: { category: 'UNSTARTED' }, comments: { length: 0 } })
  })

  t.test('a wrong signature and an unknown hook get the same answer, and have no effect', async t => {
    const key = await fileIssue()
    const payload = pullRequest({ title: key })
    const answers = await Promise.all(
      [{ secret: 'wrong' }, { id: randomUUID() }].map(wrong =>
        call(...delivery({ ...hook, ...wrong }, 'pull_request', payload))
      )
    )
    for (const answer of answers) t.match(answer.json(), { statusCode: 401, code: 'BAD_SIGNATURE' })
    t.equal(answers[0]!.body, answers[1]!.body)
    t.notOk(answers.some(({ body }) => body.includes(hook.secret)))
    t.strictSame((await context(key)).linkedIssues, [])
  })

  t.test('an unknown key, another repository, an unknown event and what is no payload have no effect', async t => {
    const key = await fileIssue()
    const title = 'Closes NOPE-1 and UTF-8'
    t.equal(await deliver('pull_request', pullRequest({ title, ...merged }, 'closed')), 'handled')
    const repository = { ...fork, default_branch: 'main' }
    t.equal(await deliver('pull_request', { ...pullRequest({ title: key }), repository }), 'handled')
    t.equal(await deliver('ping', { zen: key }), 'ignored')
    t.equal(await deliver('pull_request', { pull_request: key }), 400)
    t.equal(await deliver('pull_request', pullRequest({ title: key, updated_at: 'yesterday' })), 400)
    const address = (length: number) => 'https://github.com/'.padEnd(length, 'x')
    t.equal(await deliver('pull_request', pullRequest({ title: key, html_url: address(2049) })), 400)
    const commit = { url: address(2049), message: key, timestamp: minutesAgo(1) }
    t.equal(await deliver('push', { ...examplesOf('push')[0], commits: [commit] }), 400)
    t.strictSame((await context(key)).linkedIssues, [])
  })

  t.test('a body of 5 MB is refused, even with a valid signature', async t => {
    const key = await fileIssue()
    const payload = { ...pullRequest({ title: key }), padding: 'x'.repeat(5 * 1024 * 1024) }
    t.equal(await deliver('pull_request', payload), 413)
    t.equal((await call(...delivery({ ...hook, id: randomUUID() }, 'pull_request', payload))).statusCode, 413)
    t.strictSame((await context(key)).linkedIssues, [])
  })

  t.test('pushes that name the same issues in another order do not wait for each other', async t => {
    const keys = await Promise.all(Array.from({ length: 6 }, fileIssue))
    const push = (named: string[], n: number) => ({
      ...examplesOf('push')[0],
      ref: 'refs/heads/work',
      commits: named.map(key => ({
        url: `https://github.com/${REPOSITORY}/commit/${n}${key}`,
        message: key,
        timestamp: minutesAgo(1)
      }))
    })
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => deliver('push', push(n % 2 ? keys : keys.toReversed(), n)))
    )
    t.strictSame(new Set(outcomes), new Set(['handled']))
    for (const key of keys) t.equal((await context(key)).linkedIssues.length, 8)
  })

  t.test('takes every example of its events', async t => {
    for (const event of ['push', 'pull_request']) {
      for (const payload of examplesOf(event)) t.equal(await deliver(event, payload), 'handled', event)
    }
  })

  t.test('only administrators see hooks, and nobody sees a secret again', async t => {
    const agent = await server.agent('Robot', ['read', 'write', 'delete'])
    t.equal((await call('/v1/git/hooks', { token: agent.token })).statusCode, 403)
    t.notOk((await call('/v1/git/hooks')).body.includes(hook.secret))
    const headers = { 'idempotency-key': 'one' }
    const first = await ok<TestHook>('/v1/git/hooks', { body: { repository: 'a/b' }, headers })
    t.type(first.secret, 'string')
    const again = await ok<TestHook>('/v1/git/hooks', { body: { repository: 'a/b' }, headers })
    t.match(again, { id: first.id, secret: null, message: /rotate_secret/ })
  })

  t.test('a new secret is the only one, and a removed hook has none', async t => {
    const old = { ...hook }
    const { secret } = await ok<TestHook>(`/v1/git/hooks/${hook.id}/rotate_secret`, { method: 'POST' })
    t.equal((await call(...delivery(old, 'ping', {}))).statusCode, 401)
    hook.secret = secret
    t.equal(await deliver('ping', {}), 'ignored')
    await ok(`/v1/git/hooks/${hook.id}`, { method: 'DELETE' })
    t.equal(await deliver('ping', {}), 401)
  })

  t.test('hooks of one workspace act as one agent', async t => {
    await ok('/v1/git/hooks', { body: { repository: 'a/c' } })
    const agents = await ok<Array<{ fullname: string }>>('/v1/users/agents')
    t.equal(agents.filter(({ fullname }) => fullname === 'Git').length, 1)
  })
})
