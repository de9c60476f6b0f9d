import t from 'tap'
import { testServer, type TestServer } from '../../../test/harness.ts'
import type { Ctx } from '../index.ts'
import { exportLines } from '../export.ts'
import { importLines, type Report } from '../import.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'transfer']

/** What the commands hand to the import and the export. */
async function board (t: { teardown (work: () => Promise<void>): void }) {
  const server = await testServer({ plugins })
  t.teardown(() => server.close())
  const me = await server.ok<{ id: string, workspace: { id: string } }>('/v1/users/me')
  const { db } = server.database
  const ctx = { db, now: () => new Date(), transaction: (work: (trx: unknown) => Promise<unknown>) => db.transaction().execute(work), emit: async () => {} } as unknown as Ctx
  return {
    server,
    read: (lines: object[] | string[]): Promise<Report> => importLines(ctx, me.workspace.id, me.id, each(lines), () => {}),
    written: async () => { const lines: string[] = []; for await (const line of exportLines(ctx, me.workspace.id)) lines.push(line); return lines }
  }
}
async function * each (lines: object[] | string[]): AsyncGenerator<string> {
  for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line)
}
const context = (server: TestServer, key: string) => server.ok<{ title: string, state: { name: string }, labels: Array<{ name: string }>, comments: Array<{ author: { fullname: string }, createdAt: string, bodyMarkdown: string, replies: object[] }>, relations: Array<{ type: string, issue: { key: string } }>, parent: { key: string } | null, createdAt: string }>(`/v1/issues/${key}/context`)

const team = { kind: 'team', identifier: 'OLD', name: 'Old', states: [{ name: 'Open', category: 'UNSTARTED' }, { name: 'Fixed', category: 'COMPLETED' }] }
const first = {
  kind: 'issue', externalId: 'J-7', team: 'OLD', number: 7, title: 'It fails', descriptionMarkdown: '**Always**', state: 'Fixed', labels: ['Crash'], author: 'Ann', createdAt: '2020-01-02T03:04:05.000Z',
  comments: [{ author: 'Ben', createdAt: '2020-01-03T00:00:00.000Z', bodyMarkdown: 'Fixed\u2028 in 2', replies: [{ author: 'Ann', createdAt: '2020-01-04T00:00:00.000Z', bodyMarkdown: 'Thanks' }] }]
}
const second = { kind: 'issue', externalId: 'J-9', team: 'OLD', title: 'It fails again', state: 'Open' }
const relations = [{ kind: 'relation', issue: 'J-9', type: 'DUPLICATE_OF', relatedIssue: 'J-7' }, { kind: 'relation', issue: 'J-9', type: 'PARENT', relatedIssue: 'J-7' }]

t.test('a board comes in whole: dates, states, labels, authors, threads, relations', async t => {
  const { server, read } = await board(t)
  t.match(await read([team, first, second, ...relations]), { issues: 2, relations: 2, skipped: [] })
  const issue = await context(server, 'OLD-7')
  t.match(issue, { title: 'It fails', state: { name: 'Fixed' }, labels: [{ name: 'Crash' }], createdAt: '2020-01-02T03:04:05.000Z' })
  t.match(issue.comments, [{ author: { fullname: 'Ben' }, bodyMarkdown: 'Fixed\u2028 in 2', createdAt: '2020-01-03T00:00:00.000Z', replies: [{ bodyMarkdown: 'Thanks' }] }])
  const again = await context(server, 'OLD-8')
  t.equal(again.parent?.key, 'OLD-7')
  t.match(again.relations, [{ type: 'DUPLICATE_OF', issue: { key: 'OLD-7' } }])
})

t.test('run again, an import adds nothing', async t => {
  const { read } = await board(t)
  await read([team, first])
  t.match(await read([team, first, second]), { issues: 1, already: 1 })
})

t.test('a line that cannot be used is named with its reason, and the others go on', async t => {
  const { read } = await board(t)
  const { issues, skipped } = await read([JSON.stringify(team), '{', '{"kind":"wish"}', JSON.stringify({ ...first, state: 'Lost' }), JSON.stringify({ ...first, externalId: 'x', title: '' }), JSON.stringify(second), JSON.stringify({ ...relations[0], relatedIssue: 'J-0' })])
  t.equal(issues, 1)
  t.same(skipped.map(s => s.line).sort(), [2, 3, 4, 5, 7])
  t.match(skipped.find(s => s.line === 4)?.reason, /no state 'Lost'/)
  t.match(skipped.find(s => s.line === 7)?.reason, /J-0/)
})

t.test('what is exported comes back the same, and an export of that is the same again', async t => {
  const one = await board(t)
  await one.read([team, first, second, ...relations])
  const lines = await one.written()
  const two = await board(t)
  t.match(await two.read(lines), { issues: 2, relations: 2, skipped: [] })
  t.same(await two.written(), lines)
  t.match(await one.read(lines), { issues: 0, already: 3 }, 'and adds nothing to where it came from')
})
