import t from 'tap'
import { toolResult, type ToolResult } from '../../../test/runner/call-tool.ts'
import { testServer, onPostgres } from '../../../test/runner/harness.ts'

const MINUTE = 60_000
let clock = Date.now()
const server = await testServer({ now: () => new Date(clock), settings: { plugins: { mcp: { rateLimit: 0 } } } })
t.teardown(() => server.close())

interface Issue {
  key: string
  title: string
  priority: number
  descriptionMarkdown: string
  rev: number
}

let agents = 0
const newAgent = () => server.agent(`Writer ${++agents}`)
type Agent = Awaited<ReturnType<typeof newAgent>>
const tool = (name: string, args: object, { token }: { token: string }) => toolResult(server, name, args, token)
const update = (agent: Agent, key: string, args: object) => tool('update_task', { task: key, ...args }, agent)
const text = ({ isError, content }: ToolResult) => (isError ? content[0]!.text : `no refusal: ${content[0]!.text}`)

const description = 'The export loses zones.\n\nIt began in May.\n\n- [ ] dates keep their zone\n- [ ] a test shows it'
const file = (fields: object = {}) =>
  server.ok<Issue>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Zones', descriptionMarkdown: description, ...fields }
  })
const issue = (key: string) => server.ok<Issue>(`/v1/issues/${key}`)
const revOf = async (agent: Agent, key: string) =>
  (await tool('get_task', { task: key }, agent)).structuredContent['rev'] as number

t.test('a description that is written after another ticked keeps the tick, and the answer names it', async t => {
  const [one, other] = [await newAgent(), await newAgent()]
  const { key } = await file()
  await update(other, key, { met: ['a test shows it'] })
  const written = await update(one, key, { description: description.replace('in May', 'in June') })
  t.match(written.structuredContent, { kept: ['a test shows it'] })
  t.match(
    (await issue(key)).descriptionMarkdown,
    /in June\.[^]*- \[ \] dates keep their zone\n- \[x\] a test shows it$/
  )

  const unticked = await update(one, key, { description, unmet: ['a test shows it'] })
  t.notOk('kept' in unticked.structuredContent)
  t.equal((await issue(key)).descriptionMarkdown, description, 'unmet unticks it')
  await update(other, key, { met: [1] })
  await update(one, key, { description: description.replace('dates keep', 'times keep') })
  t.match((await issue(key)).descriptionMarkdown, /- \[ \] times keep/, 'another criterion is not met by that')
})

t.test('with the revision that was read, both changes of a description are kept', async t => {
  const [one, other] = [await newAgent(), await newAgent()]
  const { key } = await file()
  const rev = await revOf(one, key)
  await update(other, key, { description: description.replace('in May', 'in June'), rev })
  await update(other, key, { met: [2] })
  await update(other, key, { title: 'Time zones' })
  const mine = `${description.replace('loses zones', 'loses the zones of dates')}\n- [ ] the column is named`
  const merged = await update(one, key, { description: mine, rev })
  t.match(merged, { structuredContent: { rev: rev + 4, kept: ['a test shows it'] } })
  t.equal(
    (await issue(key)).descriptionMarkdown,
    'The export loses the zones of dates.\n\nIt began in June.\n\n' +
      '- [ ] dates keep their zone\n- [x] a test shows it\n- [ ] the column is named'
  )
})

t.test('what both have changed in the same lines is refused, with the difference', async t => {
  const [one, other] = [await newAgent(), await newAgent()]
  const { key } = await file()
  const rev = await revOf(one, key)
  await update(other, key, { description: description.replace('in May', 'in June') })
  const before = await issue(key)
  const refused = text(await update(one, key, { description: description.replace('in May', 'in April'), rev }))
  t.match(refused, /It said "It began in May\."; it says "It began in June\." now; you sent "It began in April\."/)
  t.match(refused, new RegExp(`with rev: ${before.rev}\\.$`))
  t.strictSame(await issue(key), before)
  const replaced = await update(one, key, { description: description.replace('May', 'April'), rev: before.rev })
  t.notOk(replaced.isError)
  t.match((await issue(key)).descriptionMarkdown, /in April/)
  const rest = await server.call(`/v1/issues/${key}`, { body: { descriptionMarkdown: description, rev: 99 } })
  t.equal(rest.statusCode, 412)
})

t.test('a revision of which the description is not kept any more is refused', async t => {
  const [one, other] = [await newAgent(), await newAgent()]
  const { key } = await file()
  const rev = await revOf(one, key)
  for (let n = 0; n < 55; n++) await update(other, key, { description: `${description}\n- [ ] criterion ${n}` })
  t.match(
    text(await update(one, key, { description: 'Mine is another one.', rev })),
    /is not kept any more.*send yours with rev/
  )
  t.match((await issue(key)).descriptionMarkdown, /criterion 54/)
})

t.test('a field that another has just changed is refused once, naming rev', async t => {
  for (const [field, theirs, mine] of [
    ['title', 'Theirs', 'Mine'],
    ['description', `${description}\n\nTheirs.`, `${description}\n\nMine.`],
    ['priority', 'high', 'low'],
    ['labels', ['Bug'], ['Docs']],
    ['state', 'In Review', 'Todo'],
    ['assignee', 'Administrator', 'none']
  ] as const) {
    const [one, other] = [await newAgent(), await newAgent()]
    const { key } = await file()
    t.notOk((await update(other, key, { [field]: theirs })).isError)
    const before = await issue(key)
    const refused = text(await update(one, key, { [field]: mine }))
    const name = field === 'labels' ? 'label' : field
    t.match(refused, new RegExp(`Writer \\d+ changed the ${name} of ${key} at .*with rev: ${before.rev}`))
    t.strictSame(await issue(key), before, `the ${field} is as it was`)
    t.notOk((await update(one, key, { [field]: mine })).isError, 'it is refused once')
    t.not((await issue(key)).rev, before.rev)
  }
})

t.test('what is not overwritten, or was changed long ago or by oneself, is not refused', async t => {
  const [one, other] = [await newAgent(), await newAgent()]
  const { key } = await file()
  await update(other, key, { title: 'Theirs' })
  t.notOk((await update(one, key, { priority: 'low', addLabels: ['Bug'] })).isError, 'another field')
  t.notOk((await update(one, key, { title: 'Theirs' })).isError, 'the same value')
  t.notOk((await update(other, key, { title: 'Own' })).isError, 'one’s own')
  const rev = await revOf(one, key)
  t.notOk((await update(one, key, { title: 'Known', rev })).isError, 'the revision is the present one')
  await server.ok(`/v1/issues/${key}`, { token: other.token, body: { title: 'Again' } })
  t.match(
    text(await update(one, key, { title: 'Mine', rev })),
    /changed the title .*"Known" to "Again".*after revision/
  )
  clock += 11 * MINUTE
  t.notOk((await update(one, key, { title: 'Later' })).isError, 'more than 10 minutes ago')
})

t.test('plain REST does as it is told, and If-Match refuses each other revision', async t => {
  const other = await newAgent()
  const { key, rev } = await file()
  await update(other, key, { met: [1], title: 'Theirs' })
  const match = (revision: number) => ({ 'if-match': `"${revision}"` })
  const stale = await server.call(`/v1/issues/${key}`, { body: { title: 'Mine' }, headers: match(rev) })
  t.equal(stale.statusCode, 412)
  await server.ok(`/v1/issues/${key}`, { body: { title: 'Mine', descriptionMarkdown: description } })
  t.match(await issue(key), { title: 'Mine', descriptionMarkdown: description })
})

t.test('many at once: each is refused when its field was changed since its revision', async t => {
  const other = await newAgent()
  const { key, rev } = await file()
  const untouched = await file()
  await update(other, key, { state: 'In Review' })
  const change = (stateOf: string, revision: number) =>
    server.call('/v1/issues/bulk_change', {
      body: {
        issues: [
          { issueId: untouched.key, state: stateOf, rev: untouched.rev },
          { issueId: key, state: stateOf, rev: revision }
        ]
      }
    })
  t.equal((await change('Todo', rev)).statusCode, 412)
  t.equal((await issue(untouched.key)).rev, untouched.rev, 'all or none')
  t.equal((await change('Todo', (await issue(key)).rev)).statusCode, 200)
})

const WRITERS = onPostgres ? 12 : 4
t.test('of writers at the same time each one’s line is in the description, and no tick is lost', async t => {
  const writers = await Promise.all(Array.from({ length: WRITERS }, newAgent))
  const lines = writers.map((_, n) => `Section ${n}\n\nText ${n}.`)
  const long = `${lines.join('\n\n')}\n\n${writers.map((_, n) => `- [ ] criterion ${n}`).join('\n')}`
  const { key } = await file({ descriptionMarkdown: long })
  const rev = await revOf(writers[0]!, key)
  const answers = await Promise.all(
    writers.flatMap((writer, n) => [
      update(writer, key, { description: long.replace(`Text ${n}.`, `Text ${n} by its writer.`), rev }),
      update(writer, key, { met: [n + 1] })
    ])
  )
  // A writer that is refused because all others write concurrently tries again.
  for (const [at, answer] of answers.entries()) {
    if (!answer.isError) continue
    t.match(text(answer), /changed by others all the time/)
    const n = Math.floor(at / 2)
    const args =
      at % 2 === 0 ? { description: long.replace(`Text ${n}.`, `Text ${n} by its writer.`), rev } : { met: [n + 1] }
    t.notOk((await update(writers[n]!, key, args)).isError)
  }
  const { descriptionMarkdown } = await issue(key)
  t.equal(descriptionMarkdown, long.replaceAll(/Text (\d+)\./g, 'Text $1 by its writer.').replaceAll('[ ]', '[x]'))
})
