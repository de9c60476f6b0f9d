import t from 'tap'
import { newId } from '../../../core/db/id.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import type { Servings } from '../serving/servings.ts'
import { tokensOf } from '../serving/task-context.ts'

interface Entry {
  id: string
  content: string
  status: string
  supersedesId: string | null
  score?: number
}
interface Known {
  entries: Array<{ id: string; content: string; because: string[]; status?: string }>
  solved: object[]
  omitted: { entries: number; solved: number }
}

const shared = await testServer()
t.teardown(() => shared.close())

const FACTS = [
  'The payment gateway times out after 30 seconds; retry with the same idempotency key.',
  'Deploys happen on Tuesdays, from the release branch.',
  'Integration tests need a running Redis on port 6380.',
  'The invoice PDF renderer cannot embed variable fonts.'
]
const remember = (server: TestServer, content: string, more: object = {}) =>
  server.ok<Entry>('/v1/knowledge', { body: { content, ...more } })
const recall = (server: TestServer, query: string, more = '') =>
  server.ok<Entry[]>(`/v1/knowledge?query=${encodeURIComponent(query)}${more}`)
const issueOf = (server: TestServer, more: object = {}) =>
  server.ok<{ id: string; key: string }>('/v1/issues', {
    body: {
      teamId: 'ENG',
      title: 'Payments fail',
      descriptionMarkdown: 'The gateway answers too late and the payment is lost.\n\n- [ ] it is retried',
      ...more
    }
  })

t.test('entries are found by their words, best match first', async t => {
  const server = await shared.board()
  for (const fact of FACTS) await remember(server, fact, { kind: 'PITFALL', tags: ['ops', fact.slice(0, 3)] })
  t.equal((await recall(server, 'payments timing out'))[0]?.content, FACTS[0])
  t.equal((await recall(server, 'which port has redis?'))[0]?.content, FACTS[2])
  t.strictSame(await recall(server, 'kubernetes'), [])
  t.equal((await recall(server, 'fonts deploys', '&limit=1')).length, 1)
  t.strictSame(
    (await server.ok<Entry[]>('/v1/knowledge?tags=OPS,int')).map(e => e.content),
    [FACTS[2]],
    'by tags alone'
  )
  t.equal((await server.ok<Entry[]>('/v1/knowledge')).length, 4, 'without a query, the newest')
  const { token } = await server.otherWorkspace()
  t.strictSame(
    (await server.call('/v1/knowledge?query=redis', { token })).json(),
    [],
    'another workspace knows nothing'
  )
})

t.test('nearly the same is refused with what is known, unless it replaces it or is forced', async t => {
  const server = await shared.board()
  const known = await remember(server, FACTS[0]!)
  const again = await server.call('/v1/knowledge', {
    body: { content: 'The payment gateway times out after 30 seconds: retry with the same **idempotency key**!' }
  })
  t.match(again.json(), { statusCode: 409, code: 'CONFLICT', id: known.id, entry: { id: known.id, content: FACTS[0] } })
  t.match(await remember(server, FACTS[0]!, { force: true }), { status: 'ACTIVE' })

  const next = await remember(
    server,
    'The payment gateway times out after 60 seconds; retry with the same idempotency key.',
    { supersedesId: known.id }
  )
  t.equal(next.supersedesId, known.id)
  t.equal((await server.ok<Entry>(`/v1/knowledge/${known.id}`)).status, 'SUPERSEDED')
  t.notOk(
    (await recall(server, 'gateway')).some(e => e.id === known.id),
    'what is superseded is not served'
  )
  t.match(
    (await server.call('/v1/knowledge', { body: { content: 'Something else.', supersedesId: known.id } })).json(),
    { statusCode: 409, supersededById: next.id }
  )
  t.equal(
    (
      await server.call('/v1/knowledge', {
        body: { content: 'Something.', supersedesId: '00000000-0000-7000-8000-000000000000' }
      })
    ).statusCode,
    404
  )
  t.equal((await remember(server, FACTS[1]!)).status, 'ACTIVE', 'another fact is welcome')
})

t.test('of the same fact stored by several at once, one is kept', async t => {
  const server = await shared.board()
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => server.call('/v1/knowledge', { body: { content: FACTS[3] } }))
  )
  t.strictSame(answers.map(a => a.statusCode).sort(), [201, 409, 409, 409, 409, 409])
})

t.test('an entry can be disputed by anyone, changed only by its author or an administrator, and expires', async t => {
  let time = new Date()
  const server = await testServer({ now: () => time })
  t.teardown(() => server.close())
  const entry = await remember(server, FACTS[0]!)
  const { token } = await server.agent('Doubter')
  t.match((await server.call(`/v1/knowledge/${entry.id}`, { token, body: { content: 'No.' } })).json(), {
    statusCode: 403
  })
  t.match((await server.call(`/v1/knowledge/${entry.id}`, { token, method: 'DELETE' })).json(), { statusCode: 403 })
  t.match(await server.ok(`/v1/knowledge/${entry.id}`, { token, body: { status: 'DISPUTED' } }), { status: 'DISPUTED' })
  t.match(await recall(server, 'gateway'), [{ id: entry.id, status: 'DISPUTED' }], 'it is served as what it is')
  const change = {
    content: 'The mail gateway is slow.',
    status: 'ACTIVE',
    tags: ['mail'],
    expiresAt: new Date(time.getTime() + 60_000).toISOString()
  }
  t.match(await server.ok(`/v1/knowledge/${entry.id}`, { body: change }), change)
  t.strictSame(await recall(server, 'payment'), [], 'the former words no longer find it')
  t.match(await recall(server, 'mail'), [{ id: entry.id }])
  time = new Date(time.getTime() + 60_001)
  t.strictSame(await recall(server, 'mail'), [])
  t.equal((await server.ok<Entry>(`/v1/knowledge/${entry.id}`)).status, 'EXPIRED')
  t.match(await server.ok(`/v1/knowledge/${entry.id}`, { method: 'DELETE' }), { id: entry.id, deleted: true })
  t.equal((await server.call(`/v1/knowledge/${entry.id}`)).statusCode, 404)
})

t.test('a context holds first what is tied to the task', async t => {
  const server = await shared.board()
  const { id: projectId } = await server.ok('/v1/projects', { body: { name: 'Checkout' } })
  const labels = await server.ok<Array<{ id: string; name: string }>>('/v1/labels')
  const parent = await issueOf(server, { title: 'Checkout again' })
  const issue = await issueOf(server, {
    projectId,
    parentId: parent.id,
    labelIds: [labels.find(l => l.name === 'Bug')!.id]
  })
  await remember(server, 'Team lunch is at noon.')
  await remember(server, 'Reproduce with a throttled network.', { tags: ['bug'] })
  await remember(server, 'The checkout project ships in March.', { projectId })
  await remember(server, 'Engineering reviews in pairs.', { teamId: 'eng' })
  await remember(server, 'The payment gateway is operated by the bank.')
  await remember(server, 'The parent wants it before Easter.', { issueId: parent.key })
  await remember(server, 'Somebody tried a queue and gave up.', { issueId: issue.key })
  const { entries, omitted } = await server.ok<Known>(`/v1/knowledge/context?issueId=${issue.key}`)
  t.strictSame(entries[0]?.because, ['issue'])
  const because = Object.fromEntries(entries.map(e => [e.content, e.because]))
  t.strictSame(because['The parent wants it before Easter.'], ['parent'])
  t.ok(because['The checkout project ships in March.']?.includes('project'))
  t.strictSame(because['Engineering reviews in pairs.'], ['team'])
  t.ok(because['The payment gateway is operated by the bank.']?.includes('words'))
  t.notOk('Team lunch is at noon.' in because, 'what has nothing to do with it stays away')
  t.strictSame(omitted, { entries: 0, solved: 0 })
  t.match(await server.ok('/v1/knowledge/context?query=bank'), {
    entries: [{ content: /operated by the bank/, because: ['words'] }]
  })
  t.equal((await server.call('/v1/knowledge/context')).statusCode, 400)
})

t.test('a context leaves out a fact that shares but one word with the task', async t => {
  const server = await shared.board()
  const issue = await issueOf(server)
  await remember(server, 'The answer to the survey goes to the people team.')
  await remember(server, 'A late payment is booked by hand.')
  const { entries } = await server.ok<Known>(`/v1/knowledge/context?issueId=${issue.key}`)
  t.strictSame(
    entries.map(({ content }) => content),
    ['A late payment is booked by hand.']
  )
})

t.test('a context for a question of a word or two holds the facts that have one of them', async t => {
  const server = await shared.board()
  for (const fact of FACTS) await remember(server, fact)
  const { entries } = await server.ok<Known>('/v1/knowledge/context?query=run+deploys')
  t.strictSame(
    entries.map(({ content }) => content),
    [FACTS[1], FACTS[2]]
  )
})

t.test('a context never exceeds its budget, and says how much it left out', async t => {
  const server = await shared.board()
  const issue = await issueOf(server)
  const texts = [
    'plain words about it ',
    '日本語の説明文です。',
    '🦊🚀 emoji ',
    '"quoted" \\ back\\slashes\n',
    'ĉirkaŭ ŝanĝo ',
    '<|endoftext|> ',
    '0x1f4a9 a1b2c3d4 '
  ]
  for (let n = 0; n < 42; n++) {
    await remember(server, `payment gateway ${n} ${texts[n % texts.length]!.repeat(1 + n * 3)}`.slice(0, 2000), {
      force: true,
      issueId: issue.id
    })
  }
  for (const budget of [undefined, 100, 101, 150, 333, 1000, 4000]) {
    const { entries, omitted, ...rest } = await server.ok<Known>(
      `/v1/knowledge/context?issueId=${issue.id}${budget === undefined ? '' : `&budget=${budget}`}`
    )
    t.ok(tokensOf({ entries, omitted, ...rest }) <= (budget ?? 1500), `within ${budget ?? 'the default'}`)
    t.equal(entries.length + omitted.entries, 42)
    if (budget !== 100 && budget !== 101) t.ok(entries.length > 0)
  }
})

t.test('each serving is recorded with its token and, if validly named, its session', async t => {
  const server = await shared.board()
  const entry = await remember(server, FACTS[2]!)
  const { token, id: agentId } = await server.agent('Reader', ['read'])
  const sessions = ['s-1', 'with space', 'é', 'x'.repeat(200), 'x'.repeat(201), undefined]
  for (const session of sessions) {
    const entries = await server.ok<Entry[]>('/v1/knowledge?query=redis', {
      token,
      headers: {
        'x-request-id': `ask-${sessions.indexOf(session)}`,
        ...(session !== undefined && { 'x-tracker-session': session })
      }
    })
    t.equal(entries.length, 1, 'it is served whatever the session')
  }
  await server.ok('/v1/knowledge/context?query=redis', { token })
  const servings = await server.ok<Array<{ session: string | null; requestId: string; token: object }>>(
    `/v1/knowledge/${entry.id}/servings`
  )
  t.strictSame(servings.map(s => s.session).reverse(), ['s-1', null, null, 'x'.repeat(200), null, null, null])
  t.match(servings.at(-1), {
    requestId: 'ask-0',
    at: String,
    token: { name: 'Agent token', account: { id: agentId, fullname: 'Reader' } }
  })
  await recall(server, 'kubernetes')
  t.equal(
    (await server.ok<object[]>(`/v1/knowledge/${entry.id}/servings`)).length,
    7,
    'what was not in an answer was not served'
  )
})

t.test('a read succeeds when its serving cannot be recorded, which is then made up for, once', async t => {
  /** The number of waiting servings at each attempt. */
  const waiting: number[] = []
  const server = await testServer({
    onStatement: text => {
      if (!text.includes('insert into knowledge_serving')) return
      waiting.push(server.container.resolve<Servings>('knowledge/servings').count().waiting)
    }
  })
  t.teardown(() => server.close())
  const entry = await remember(server, FACTS[2]!)
  const { db } = server.database
  await db.schema.alterTable('knowledge_serving').renameTo('knowledge_serving_away').execute()
  t.equal((await recall(server, 'redis')).length, 1)
  const health = async () => (await server.call('/health/ready', { token: null })).json().knowledge
  t.match(await health(), { state: 'behind', servingsWaiting: 1 })
  t.match((await server.call('/metrics', { token: null })).body, /^tracker_knowledge_servings_waiting 1$/m)
  await db.schema.alterTable('knowledge_serving_away').renameTo('knowledge_serving').execute()
  const servings = () => server.ok<object[]>(`/v1/knowledge/${entry.id}/servings`)
  while ((await servings()).length === 0) await new Promise(resolve => setTimeout(resolve, 50))
  await new Promise(resolve => setTimeout(resolve, 1_500))
  t.equal((await servings()).length, 1)
  t.match(await health(), { state: 'up', servingsWaiting: 0 })
  t.match((await server.call('/metrics', { token: null })).body, /^tracker_knowledge_servings_recorded_total 1$/m)
  const [first, ...again] = waiting
  t.equal(first, 0)
  t.ok(again.length > 0)
  t.ok(
    again.every(count => count === 1),
    'it waits until it is written'
  )
})

t.test('what was served in a workspace that is removed meanwhile holds no other serving up', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const entry = await remember(server, FACTS[2]!)
  const { db } = server.database
  const { record, count } = server.container.resolve<Servings>('knowledge/servings')
  const serveInRemoved = () => record({ workspaceId: newId(), tokenId: newId() }, { requestId: 'x' }, [newId()])
  await serveInRemoved()
  t.equal(count().waiting, 0)

  await db.schema.alterTable('knowledge_serving').renameTo('knowledge_serving_away').execute()
  await serveInRemoved()
  t.equal((await recall(server, 'redis')).length, 1)
  t.equal(count().waiting, 2)
  await db.schema.alterTable('knowledge_serving_away').renameTo('knowledge_serving').execute()
  while (count().waiting > 0) await new Promise(resolve => setTimeout(resolve, 50))
  t.equal((await server.ok<object[]>(`/v1/knowledge/${entry.id}/servings`)).length, 1)
})

t.test('a context tells how similar issues were solved', async t => {
  const server = await shared.board()
  const states = await server.ok<Array<{ id: string; category: string }>>('/v1/ENG/workflows')
  const solved = await issueOf(server, { title: 'Payments fail at night' })
  await server.ok(`/v1/issue_comments?issueId=${solved.id}`, {
    body: {
      bodyMarkdown: 'The gateway needed a longer timeout.',
      stateId: states.find(s => s.category === 'COMPLETED')!.id
    }
  })
  const issue = await issueOf(server)
  await server.idle()
  t.match(await server.ok(`/v1/knowledge/context?issueId=${issue.key}`), {
    solved: [{ key: solved.key, title: 'Payments fail at night', resolution: 'The gateway needed a longer timeout.' }]
  })
  t.match(await server.ok('/v1/knowledge/context?query=gateway+payments'), { solved: [{ key: solved.key }] })
})
