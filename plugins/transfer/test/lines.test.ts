import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { transferOf } from '../../../test/transfer.ts'

t.test('lines of text are cleaned, what they lose is told, and nothing else is left out', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const { read } = await transferOf(server)
  const report = await read([
    {
      kind: 'team',
      identifier: 'OLD',
      name: ' Old\u200B ',
      states: [{ name: 'In\u0007 review', category: 'STARTED' }]
    },
    { kind: 'issue', externalId: 'a', team: 'OLD', title: 'red \u001B[31m alert', state: 'In\u0007 review' },
    {
      kind: 'issue',
      externalId: 'b',
      team: 'OLD',
      title: '\u200B',
      state: 'In review',
      labels: ['u\u202Ei', ' plain']
    },
    { kind: 'comment', externalId: 'c', issue: 'b', bodyMarkdown: 'It has come.' }
  ])
  t.match(report, { added: { team: 1, issue: 2, comment: 1 }, skipped: [] })
  t.same(
    report.shortened.map(({ where, reason }) => `${where}: ${reason}`),
    [
      'line 1: its name has characters that a line must not have: they are left out',
      'line 2: its title has characters that a line must not have: they are left out',
      'line 2: its state has characters that a line must not have: they are left out',
      "line 3: its title shows nothing: it is 'Untitled'",
      'line 3: a name in it has characters that a line must not have: they are left out'
    ]
  )
  t.match(await server.ok('/v1/issues/OLD-1/context'), { title: 'red [31m alert', state: { name: 'In review' } })
  t.match(await server.ok('/v1/issues/OLD-2/context'), {
    title: 'Untitled',
    state: { name: 'In review' },
    labels: [{ name: 'plain' }, { name: 'ui' }]
  })
})

t.test('the heading that npm prints before an export is no line of it; other texts are reported', async t => {
  const server = await testServer({ plugins: ['workspace', 'issues', 'transfer'] })
  t.teardown(() => server.close())
  const { read } = await transferOf(server)
  const heading = ['', '> tracker@0.3.0 tracker', '> exec node core/cli.ts export', '']
  t.match(await read([...heading, { kind: 'label', name: 'One' }]), { added: { label: 1 }, skipped: [] })
  t.match(await read(['> a quote']), { skipped: [{ where: 'line 1', reason: 'it is no JSON' }] })
})

t.test('names whose small letters the database writes otherwise are the same in each import', async t => {
  const server = await testServer({ plugins: ['workspace', 'issues', 'projects', 'comments', 'transfer'] })
  t.teardown(() => server.close())
  const { readAs } = await transferOf(server)
  const recordsOf = (externalId: string) => [
    { kind: 'team', identifier: 'ENG', name: 'Engineering', states: [{ name: 'Todo', category: 'UNSTARTED' }] },
    { kind: 'project', externalId: `p-${externalId}`, name: '\u0130ndirim' },
    {
      kind: 'issue',
      externalId,
      team: 'ENG',
      title: 'Work',
      state: 'Todo',
      project: `p-${externalId}`,
      labels: ['\u0130ptal', 'iptal']
    }
  ]
  t.match(await readAs('a', recordsOf('1')), { added: { issue: 1, project: 1 }, skipped: [] })
  t.match(await readAs('b', recordsOf('2')), { added: { issue: 1 }, skipped: [] })
  t.equal((await server.ok<unknown[]>('/v1/projects')).length, 1)
})

t.test('a time that there is not is refused, with its field', async t => {
  const server = await testServer({ plugins: ['workspace', 'issues', 'projects', 'transfer'] })
  t.teardown(() => server.close())
  const { read } = await transferOf(server)
  const times = ['2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-01T25:00:00Z', '2028-02-29T23:59:59.5+02:00']
  const report = await read(
    times.map((createdAt, n) => ({ kind: 'project', externalId: `p${n}`, name: `P${n}`, createdAt }))
  )
  t.match(report, { added: { project: 1 } })
  t.same(
    report.skipped.map(({ where, reason }) => `${where}: ${reason}`),
    [1, 2, 3].map(line => `line ${line}: createdAt must match format "date-time"`)
  )
  const [project] = await server.ok<Array<{ createdAt: string }>>('/v1/projects')
  t.equal(project?.createdAt, '2028-02-29T21:59:59.500Z')
})

t.test('of two people with one e-mail address the first one comes, and the reason is told', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const { read } = await transferOf(server)
  const lines = ['Ann@a.example', 'ann@a.example'].map((email, n) => ({
    kind: 'account',
    externalId: `p${n}`,
    type: 'PERSON',
    role: 'MEMBER',
    fullname: `Ann ${n}`,
    email
  }))
  for (const added of [1, 0]) {
    const report = await read(lines)
    t.match(report, { added: { account: added } })
    t.same(
      report.skipped.map(({ where, reason }) => `${where}: ${reason}`),
      ["line 2: another account of the file has the e-mail address 'ann@a.example'"]
    )
  }
})
