import { sql } from 'kysely'
import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { transferOf } from '../../../test/transfer.ts'
import { fillBoard } from '../../../test/full-board.ts'

async function board(t: { teardown(work: () => Promise<void>): void }) {
  const server = await testServer()
  t.teardown(() => server.close())
  return { server, ...(await transferOf(server)) }
}
const context = (server: TestServer, key: string) =>
  server.ok<{
    title: string
    state: { name: string }
    labels: Array<{ name: string }>
    comments: Array<{ author: { fullname: string }; createdAt: string; bodyMarkdown: string; replies: object[] }>
    relations: Array<{ type: string; issue: { key: string } }>
    history: object[]
    parent: { key: string } | null
    createdAt: string
  }>(`/v1/issues/${key}/context`)

/** A small board of another server, with `p` as its team. */
function elsewhere(p: string) {
  return {
    team: {
      kind: 'team',
      identifier: p,
      name: 'Old',
      states: [
        { name: 'Open', category: 'UNSTARTED' },
        { name: 'Fixed', category: 'COMPLETED' }
      ]
    },
    first: {
      kind: 'issue',
      externalId: `${p}-a`,
      team: p,
      number: 7,
      title: `It fails at ${p}`,
      descriptionMarkdown: '**Always**',
      state: 'Fixed',
      labels: ['Crash'],
      author: 'Ann',
      createdAt: '2020-01-02T03:04:05.000Z',
      completedAt: '2020-02-01T00:00:00.000Z',
      history: [{ at: '2020-02-01T00:00:00.000Z', actor: 'Ben', change: 'state', from: 'Open', to: 'Fixed' }]
    },
    second: { kind: 'issue', externalId: `${p}-b`, team: p, title: 'It fails again', state: 'Open' },
    comment: {
      kind: 'comment',
      externalId: `${p}-c`,
      issue: `${p}-a`,
      author: 'Ben',
      createdAt: '2020-01-03T00:00:00.000Z',
      bodyMarkdown: 'Fixed\u2028 in \\u0000 2'
    },
    reply: {
      kind: 'comment',
      externalId: `${p}-d`,
      issue: `${p}-a`,
      replyTo: `${p}-c`,
      author: 'Ann',
      createdAt: '2020-01-04T00:00:00.000Z',
      bodyMarkdown: 'Thanks'
    },
    duplicate: { kind: 'relation', issue: `${p}-b`, type: 'DUPLICATE_OF', relatedIssue: `${p}-a` },
    part: { kind: 'relation', issue: `${p}-b`, type: 'PARENT', relatedIssue: `${p}-a` }
  }
}

t.test('an import', async t => {
  const { server, read, readAs } = await board(t)

  t.test('brings a board in whole: dates, states, labels, authors, history, threads, relations', async t => {
    t.match(await read(Object.values(elsewhere('OLD'))), {
      added: { team: 1, issue: 2, comment: 2, relation: 2 },
      skipped: []
    })
    const issue = await context(server, 'OLD-7')
    t.match(issue, {
      title: 'It fails at OLD',
      state: { name: 'Fixed' },
      labels: [{ name: 'Crash' }],
      createdAt: '2020-01-02T03:04:05.000Z',
      history: [{ actor: 'Ben', change: 'state', from: 'Open', to: 'Fixed' }]
    })
    t.match(issue.comments, [
      {
        author: { fullname: 'Ben' },
        bodyMarkdown: 'Fixed\u2028 in \\u0000 2',
        createdAt: '2020-01-03T00:00:00.000Z',
        replies: [{ bodyMarkdown: 'Thanks' }]
      }
    ])
    const again = await context(server, 'OLD-8')
    t.equal(again.parent?.key, 'OLD-7')
    t.match(again.relations, [{ type: 'DUPLICATE_OF', issue: { key: 'OLD-7' } }])
  })

  t.test('leaves it to be found', async t => {
    const { team, first, comment } = elsewhere('FIND')
    await read([team, first, comment])
    await server.idle()
    t.match(await server.ok('/v1/search?query=fails+at+find'), [
      { key: 'FIND-7', resolutionSnippet: 'Fixed\u2028 in \\u0000 2' }
    ])
    await read([{ ...comment, externalId: 'later', bodyMarkdown: 'A later walrus' }])
    await server.idle()
    t.match(await server.ok('/v1/search?query=walrus'), [{ key: 'FIND-7', matchedIn: 'comment' }])
  })

  t.test('gives no account to an author who is known by name alone', async t => {
    const people = await server.ok<Array<{ fullname: string }>>('/v1/users')
    t.notOk(people.some(person => person.fullname === 'Ann'))
  })

  t.test('keeps people and agents of one name apart, and comes back as it was', async t => {
    const [from, to] = [await board(t), await board(t)]
    // Names that earlier versions accepted.
    for (const name of ['One', 'Two']) await from.server.agent(name)
    await from.server.database.db.updateTable('account').set({ fullname: 'Twin' }).where('kind', '=', 'AGENT').execute()
    const agent = await to.server.agent('Twin')
    const people = ['a', 'b'].map(externalId => ({
      kind: 'account',
      externalId,
      type: 'PERSON',
      fullname: 'Administrator',
      role: 'MEMBER',
      createdAt: '2020-01-01T00:00:00.000Z'
    }))
    t.match(await from.read(people), { added: { account: 2 }, skipped: [] })
    const exported = await from.written()
    for (let n = 0; n < 2; n++) {
      t.match(await to.read(exported), { added: { account: n === 0 ? 3 : 0 }, skipped: [] })
      const fullnames = (await to.written()).flatMap(line => {
        const { kind, fullname } = JSON.parse(line) as { kind: string; fullname: string }
        return kind === 'account' ? [fullname] : []
      })
      t.same(fullnames.sort(), ['Administrator', 'Administrator (2)', 'Administrator (3)', 'Twin', 'Twin (2)'])
    }
    const agents = await to.server.ok<Array<{ id: string }>>('/v1/users/agents')
    t.ok(
      agents.some(({ id }) => id === agent.id),
      'one of them is the agent that was there'
    )
  })

  t.test('repeated, or interrupted and repeated, it adds nothing twice', async t => {
    const { team, first, second, comment, reply } = elsewhere('TWICE')
    await read([team, first, comment])
    t.match(await read([team, first, comment, reply, second]), {
      added: { team: 0, issue: 1, comment: 1 },
      there: 3,
      skipped: []
    })
    t.match(await read([second, second]), { added: { issue: 0 }, there: 2 })
  })

  t.test('adds nothing of a second file to the issues of the first that have the same ids', async t => {
    const { team, first, second, comment, part } = elsewhere('SAME')
    await read([team, first, second])
    const others = [
      team,
      { ...first, title: 'Another board', createdAt: '2021-01-01T00:00:00.000Z' },
      { ...second, title: 'Another issue' },
      { ...comment, bodyMarkdown: 'About another board' },
      part
    ]
    const { added, skipped } = await read(others)
    t.match(added, { issue: 0, comment: 0, relation: 0 })
    t.match(skipped, [
      { line: 2, reason: /another issue came as 'SAME-a' before.*--source NAME/ },
      { line: 3, reason: /SAME-b/ },
      { line: 5, reason: /no issue 'SAME-b'/ },
      { line: 4, reason: /no issue 'SAME-a'/ }
    ])
    t.same((await context(server, 'SAME-7')).comments, [])
    t.match(await readAs('file:other', others), { added: { issue: 2, comment: 1, relation: 1 }, skipped: [] })
    t.match(await context(server, 'SAME-9'), { title: 'Another board', comments: [{ bodyMarkdown: /another board/ }] })
    t.match(await read([{ ...first, title: 'Renamed there' }]), { there: 1, skipped: [] }, 'the time is the same')
  })

  t.test('names a line that cannot be used with its reason, and goes on', async t => {
    const { team, first, second, comment, reply, duplicate } = elsewhere('BAD')
    const { added, skipped } = await read([
      team,
      '{',
      '{"kind":"wish"}',
      { ...first, state: 'Lost' },
      { ...first, externalId: 'x', title: '' },
      second,
      { ...duplicate, relatedIssue: 'J-0' },
      { ...comment, issue: 'J-0' },
      { ...reply, issue: second.externalId, replyTo: 'c9' },
      { ...second, externalId: 'y', project: 'Moon' },
      { ...second, externalId: 'z', colour: 'red' },
      { kind: 'knowledge', externalId: 'k', content: ' ' }
    ])
    t.equal(added['issue'], 1)
    const reasons = new Map(skipped.map(({ line, reason }) => [line, reason]))
    t.same(
      [...reasons.keys()].sort((a, b) => a - b),
      [2, 3, 4, 5, 7, 8, 9, 10, 11, 12]
    )
    for (const [line, reason] of [
      [2, /no JSON/],
      [3, /none of account, team/],
      [4, /no state 'Lost'/],
      [5, /title/],
      [7, /J-0/],
      [8, /J-0/],
      [9, /c9/],
      [10, /project 'Moon'/],
      [11, /colour is not a field of 'issue'/],
      [12, /content/]
    ] as const) {
      t.match(reasons.get(line), reason)
    }
  })

  t.test('closes no circle of parents or blockers, and adds no relation twice, in one batch', async t => {
    const { team, second } = elsewhere('RING')
    const issues = ['a', 'b', 'c'].map(name => ({ ...second, externalId: `RING-${name}`, title: name }))
    const relation = (from: string, type: string, to: string) => ({
      kind: 'relation',
      issue: `RING-${from}`,
      type,
      relatedIssue: `RING-${to}`
    })
    const before = [team, ...issues]
    const { added, skipped, there } = await read([
      ...before,
      relation('a', 'BLOCKS', 'b'),
      relation('b', 'BLOCKS', 'c'),
      relation('c', 'BLOCKS', 'a'),
      relation('a', 'PARENT', 'b'),
      relation('b', 'PARENT', 'c'),
      relation('c', 'PARENT', 'a'),
      relation('a', 'PARENT', 'c'),
      relation('a', 'RELATED', 'c'),
      relation('c', 'RELATED', 'a')
    ])
    t.match(added, { issue: 3, relation: 5 })
    t.equal(there, 2)
    t.match(skipped, [
      { line: before.length + 3, reason: /blocked by itself/ },
      { line: before.length + 6, reason: /a parent of itself/ }
    ])
    t.match(await read([relation('c', 'BLOCKS', 'a')]), {
      added: { relation: 0 },
      skipped: [{ reason: /blocked by itself/ }]
    })
    const [a, b] = [await context(server, 'RING-1'), await context(server, 'RING-2')]
    t.match([a.parent, b.parent], [{ key: 'RING-2' }, { key: 'RING-3' }])
    t.same(a.relations.map(({ type }) => type).toSorted(), ['BLOCKS', 'RELATED'])
  })

  t.test('gives no number that is taken, or was given before', async t => {
    const { team, first, second } = elsewhere('NUM')
    await read([team, first, { ...second, number: 7 }, { kind: 'lastNumber', team: 'NUM', number: 20 }])
    t.equal((await context(server, 'NUM-8')).title, 'It fails again')
    t.equal((await server.ok<{ key: string }>('/v1/issues', { body: { title: 'Next', teamId: 'NUM' } })).key, 'NUM-21')
  })
})

t.test(
  'everything that is exported comes back the same in an empty server, and an export of that is the same again',
  async t => {
    const one = await board(t)
    await fillBoard(one.server)
    await one.read(Object.values(elsewhere('OLD')))
    const lines = await one.written()
    const kinds = Map.groupBy(
      lines.map(line => JSON.parse(line) as { kind: string }),
      line => line.kind
    )
    const own = ['account', 'team', 'label', 'project', 'milestone', 'cycle', 'issue', 'relation', 'lastNumber']
    t.same([...kinds.keys()], [...own, 'knowledge', 'issue_template', 'project_update', 'comment', 'view'])
    t.notOk(
      lines.some(line => /trk_|token|hash/i.test(line)),
      'without secrets'
    )

    const two = await board(t)
    t.match(await two.read(lines), { added: { issue: 5, comment: 4, knowledge: 2 }, skipped: [] })
    t.same(await two.written(), lines)
    t.match(
      await one.read(lines),
      { added: { issue: 0, comment: 0, knowledge: 0, relation: 0 }, skipped: [] },
      'and adds nothing to where it came from'
    )
    t.same(await one.written(), lines)
  }
)

t.test('what refers to a record that is later by its clock comes with it, in one import', async t => {
  const one = await board(t)
  const write = async (path: string, body: object) => (await one.server.ok<{ id: string }>(path, { body })).id
  const fact = (content: string, more = {}) => write('/v1/knowledge', { content, ...more })
  const first = await fact('The port is 3000.')
  const second = await fact('The port is 4000.', { supersedesId: first })
  const third = await fact('The port is 5000.', { supersedesId: second })
  const issueId = await write('/v1/issues', { title: 'Port', teamId: 'ENG' })
  const comment = await write(`/v1/issue_comments?issueId=${issueId}`, { bodyMarkdown: 'Which port?' })
  const reply = await write(`/v1/issue_comments?issueId=${issueId}`, { bodyMarkdown: 'This one.', parentId: comment })
  const setTime = (table: string, id: string, at: Date) =>
    sql`update ${sql.table(table)} set created_at = ${at} where id = ${id}`.execute(one.server.database.db)
  for (const [n, id] of [third, second, first].entries()) await setTime('knowledge_entry', id, new Date(n * 1000))
  await setTime('comment', reply, new Date(0))
  const lines = await one.written()
  const position = (id: string) => lines.findIndex(line => line.includes(`"externalId":"${id}"`))
  t.ok(position(comment) < position(reply))

  const two = await board(t)
  t.match(await two.read(lines), { added: { knowledge: 3, comment: 2 }, skipped: [] })
  t.same(await two.written(), lines)
  // The form of exports of 0.1.
  const knowledge = lines.filter(line => line.includes('"kind":"knowledge"'))
  const others = lines.filter(line => !knowledge.includes(line))
  const three = await board(t)
  t.match(await three.read([...others, ...knowledge.reverse()]), { added: { knowledge: 3 }, skipped: [] })
  t.same(await three.written(), lines)
})

t.test('long records come in their places, and with them comes everything', async t => {
  const { server, written } = await board(t)
  const title = (n: number) => `${n % 3 === 0 ? 'long' : 'short'} ${n}`
  const long = 'word '.repeat(40_000)
  const issues = Array.from({ length: 9 }, (_, n) => ({
    teamId: 'ENG',
    title: title(n),
    descriptionMarkdown: n % 3 === 0 ? `${n} ${long}` : `${n}`
  }))
  await server.ok('/v1/issues/bulk', { body: { issues } })
  const lines = await written()
  const records = lines.map(line => JSON.parse(line) as { kind: string; title: string; descriptionMarkdown: string })
  t.strictSame(
    records.flatMap(({ kind, title, descriptionMarkdown }) => (kind === 'issue' ? [[title, descriptionMarkdown]] : [])),
    issues.map(({ title, descriptionMarkdown }) => [title, descriptionMarkdown])
  )
})
