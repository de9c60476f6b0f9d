import t from 'tap'
import { testServer, type Call, type TestServer } from '../../../test/runner/harness.ts'
import { transferOf } from '../../../test/transfer.ts'
import { tablesWith } from './tables-with.ts'

/* Projects, labels and entries of the knowledge base in the trash. */

const DAY_MS = 24 * 3_600_000
let daysLater = 0
let server: TestServer
t.before(async () => {
  server = await testServer({ now: () => new Date(Date.now() + daysLater * DAY_MS) })
})
t.teardown(() => server.close())

interface Thing {
  id: string
  [field: string]: unknown
}
const add = (kind: string, body: object, token?: string) =>
  server.ok<Thing>(`/v1/${kind}`, { body, ...(token && { token }) })
const remove = (path: string, call: Call = {}) => server.ok<Thing>(`/v1/${path}`, { ...call, method: 'DELETE' })
const restore = (path: string, call: Call = {}) => server.call(`/v1/${path}/restore`, { ...call, method: 'POST' })
const statusOf = async (path: string, call?: Call) => (await server.call(`/v1/${path}`, call)).statusCode
const listed = async (query = '', call?: Call) =>
  (await server.ok<{ items: Thing[] }>(`/v1/trash?limit=200${query}`, call)).items

/** A record of each kind, whose text begins with a word. */
const KINDS = [
  { kind: 'projects', event: 'project', body: (word: string) => ({ name: word, descriptionMarkdown: `All ${word}.` }) },
  { kind: 'labels', event: 'label', body: (word: string) => ({ name: word, color: '#123456' }) },
  { kind: 'knowledge', event: 'knowledge', body: (word: string) => ({ content: `${word} was measured on Mondays.` }) }
]

for (const { kind, event, body } of KINDS) {
  t.test(`${kind}: restored as it was`, async t => {
    const thing = await add(kind, body('Kept'))
    const before = await server.ok<Thing>(`/v1/${kind}/${thing.id}`)
    t.strictSame(await remove(`${kind}/${thing.id}`), { id: thing.id, deleted: true })
    t.equal(await statusOf(`${kind}/${thing.id}`), 404)
    t.equal(await statusOf(`${kind}/${thing.id}`, { method: 'DELETE' }), 404, 'it is in the trash already')
    const [item] = await listed(`&kind=${kind}`)
    t.match(item, { kind, id: thing.id, title: /^Kept/, deletedBy: { fullname: 'Administrator' }, key: undefined })
    const answer = await restore(`${kind}/${thing.id}`)
    t.equal(answer.statusCode, 200, answer.body)
    t.match(answer.json(), { id: thing.id })
    t.strictSame(await server.ok(`/v1/${kind}/${thing.id}`), before)
    t.equal((await restore(`${kind}/${thing.id}`)).statusCode, 404, 'it is there')
    const { events } = await server.ok<{ events: object[] }>(`/v1/events?types=${event}.*&limit=200`)
    t.match(events.slice(-2), [
      { type: `${event}.deleted`, subject: { id: thing.id } },
      { type: `${event}.updated`, subject: { id: thing.id }, data: { changes: [{ field: 'restored' }] } }
    ])
  })

  t.test(`${kind}: the same may be stored meanwhile, and is in conflict then`, async t => {
    const first = await add(kind, body('Twice'))
    await remove(`${kind}/${first.id}`)
    const second = await add(kind, body('twice'))
    const refused = await restore(`${kind}/${first.id}`)
    t.equal(refused.statusCode, 409)
    t.match(refused.json(), { code: 'CONFLICT', message: /by now/ })
    t.equal(await statusOf(`${kind}/${first.id}`), 404, 'nothing of it was written')
    await remove(`${kind}/${second.id}`)
    t.equal((await restore(`${kind}/${first.id}`)).statusCode, 200)
  })

  t.test(`${kind}: restoring needs what deleting needs`, async t => {
    const thing = await add(kind, body('Guarded'))
    const writer = await server.agent(`Writer of ${kind}`, ['read', 'write'])
    const remover = await server.agent(`Remover of ${kind}`, ['read', 'write', 'delete'])
    const { token: foreign } = await server.otherWorkspace()
    const calls = (path: string) => [
      server.call(path, { method: 'DELETE', token: writer.token }),
      server.call(path, { method: 'DELETE', token: foreign })
    ]
    const statuses = async (answers: Array<Promise<{ statusCode: number }>>) =>
      (await Promise.all(answers)).map(({ statusCode }) => statusCode)
    t.strictSame(await statuses(calls(`/v1/${kind}/${thing.id}`)), [403, 404])
    const forever = await server.call(`/v1/${kind}/${thing.id}?permanently=true`, {
      method: 'DELETE',
      token: remover.token
    })
    t.match(forever.json(), { code: 'ADMIN_REQUIRED' })
    await remove(`${kind}/${thing.id}`, { token: remover.token })
    t.match((await restore(`${kind}/${thing.id}`, { token: writer.token })).json(), { code: 'SCOPE_REQUIRED' })
    t.equal((await restore(`${kind}/${thing.id}`, { token: foreign })).statusCode, 404)
    t.strictSame(await listed(`&kind=${kind}`, { token: foreign }), [])
    t.ok((await listed(`&kind=${kind}`, { token: remover.token })).some(({ id }) => id === thing.id))
    t.equal((await restore(`${kind}/${thing.id}`, { token: remover.token })).statusCode, 200)
  })

  t.test(`${kind}: removed for good by its age, and by administrators`, async t => {
    const [old, there, trashed] = [
      await add(kind, body('Secretone')),
      await add(kind, body('Secrettwo')),
      await add(kind, body('Secretthree'))
    ]
    await remove(`${kind}/${old.id}`)
    await remove(`${kind}/${trashed.id}`)
    for (const { id } of [there, trashed]) await remove(`${kind}/${id}?permanently=true`)
    for (const { id } of [there, trashed]) {
      t.equal((await restore(`${kind}/${id}`)).statusCode, 404)
      t.equal(await statusOf(`${kind}/${id}?permanently=true`, { method: 'DELETE' }), 404)
    }
    await purgeAfter(29)
    t.ok((await listed(`&kind=${kind}`)).some(({ id }) => id === old.id))
    await purgeAfter(31)
    t.notOk((await listed(`&kind=${kind}`)).some(({ id }) => id === old.id))
    await server.idle()
    t.strictSame(await tablesWith(server, 'Secret'), [], 'no table has its texts, but the log of events')
  })
}

t.test('the issues of a restored project and label have them again, but for those with another project', async t => {
  const [label, project, other] = [
    await add('labels', { name: 'Regression' }),
    await add('projects', { name: 'Launch' }),
    await add('projects', { name: 'Landing' })
  ]
  const file = (title: string) => add('issues', { teamId: 'ENG', title, projectId: project.id, labelIds: [label.id] })
  const [stays, moves] = [await file('Stays'), await file('Moves')]
  const contextOf = ({ id }: Thing) => server.ok<Thing>(`/v1/issues/${id}/context`)
  for (const path of [`labels/${label.id}`, `projects/${project.id}`]) await remove(path)
  t.match(await contextOf(stays), { project: null, labels: [] })
  await server.ok(`/v1/issues/${moves.id}`, { body: { projectId: other.id } })
  for (const path of [`labels/${label.id}`, `projects/${project.id}`]) await restore(path)
  t.match(await contextOf(stays), { project: { name: 'Launch' }, labels: [{ name: 'Regression' }] })
  t.match(await contextOf(moves), { project: { name: 'Landing' }, labels: [{ name: 'Regression' }] })
  const inProject = { project: { filterType: 'IS', value: [project.id] } }
  t.match(await server.ok('/v1/issues/filter', { body: { filters: inProject, perPage: 10 } }), {
    issues: [{ id: stays.id }],
    total: 1
  })
})

t.test('people restore their own knowledge, and see no other in the trash', async t => {
  const person = (name: string) =>
    server.ok<{ token: string }>('/v1/users', {
      body: { fullname: name, email: `${name}@example.org`, role: 'MEMBER' }
    })
  const [ada, bob] = [await person('ada'), await person('bob')]
  const entry = await add('knowledge', { content: 'Lamps are changed in pairs.' }, ada.token)
  t.equal(await statusOf(`knowledge/${entry.id}`, { method: 'DELETE', token: bob.token }), 403)
  await remove(`knowledge/${entry.id}`, { token: ada.token })
  t.notOk((await listed('', { token: bob.token })).some(({ id }) => id === entry.id))
  t.equal((await restore(`knowledge/${entry.id}`, { token: bob.token })).statusCode, 403)
  t.ok((await listed('', { token: ada.token })).some(({ id }) => id === entry.id))
  t.equal((await restore(`knowledge/${entry.id}`, { token: ada.token })).statusCode, 200)
  t.match((await server.call('/v1/knowledge?query=lamps')).body, entry.id, 'it is found at once')
})

t.test('an import leaves in the trash what it has brought, and exports do not have it', async t => {
  const target = await testServer()
  t.teardown(() => target.close())
  const { readAs, written } = await transferOf(target)
  const records = [
    { kind: 'label', name: 'Imported label' },
    { kind: 'project', externalId: 'P-1', name: 'Imported project' },
    { kind: 'knowledge', externalId: 'K-1', content: 'Imported facts are facts.' }
  ]
  await readAs('jira', records)
  const idOf = async (path: string) => (await target.ok<Thing[]>(`/v1/${path}`))[0]!.id
  const [project, entry] = [await idOf('projects'), await idOf('knowledge')]
  for (const path of [`projects/${project}`, `knowledge/${entry}`]) {
    await target.ok(`/v1/${path}`, { method: 'DELETE' })
  }
  await readAs('jira', records)
  t.strictSame([await target.ok('/v1/projects'), await target.ok('/v1/knowledge')], [[], []])
  t.notMatch((await written()).join('\n'), /Imported (project|facts)/)
  for (const path of [`projects/${project}`, `knowledge/${entry}`]) {
    await target.ok(`/v1/${path}/restore`, { method: 'POST' })
  }
  await readAs('jira', records)
  t.equal((await target.ok<Thing[]>('/v1/projects')).length, 1)
  t.equal((await target.ok<Thing[]>('/v1/knowledge')).length, 1)
})

/** Removes what is older than a number of days. */
async function purgeAfter(days: number): Promise<void> {
  daysLater = days
  await server.jobs.enqueue(server.database.db, 'trash.purgeOld', [{}])
  await server.idle()
  daysLater = 0
}
