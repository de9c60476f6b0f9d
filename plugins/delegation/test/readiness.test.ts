import t from 'tap'
import type { TestServer } from '../../../test/runner/harness.ts'
import { readyIssue, serverWith } from './helpers.ts'

let server: TestServer
let states: Record<string, string>
t.before(async () => {
  server = await serverWith('sleep 600')
  const all = await server.ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')
  states = Object.fromEntries(all.map(({ id, name }) => [name, id]))
})
t.teardown(() => server.close())

const isListed = async (id: string) => {
  const { issues } = await server.ok<{ issues: Array<{ id: string }> }>('/v1/issues/filter', {
    body: { perPage: 200, filters: { isReady: true } }
  })
  return issues.some(issue => issue.id === id)
}
/** The reasons against delegation; empty if it was delegated. */
async function reasonsAgainst(issueId: string): Promise<string[]> {
  const answer = await server.call('/v1/agent_runs', { body: { issueId } })
  if (answer.statusCode === 201) return []
  t.match(answer.json(), { statusCode: 409, code: 'NOT_READY' })
  return answer.json<{ reasons: Array<{ code: string }> }>().reasons.map(({ code }) => code)
}
const me = async () => (await server.ok<{ id: string }>('/v1/users/me')).id
const relate = (issueId: string, relatedIssueId: string) =>
  server.ok('/v1/issue_relations', { body: { issueId, relatedIssueId, type: 'BLOCKS' } })

const notReady: Array<[string, string[], () => Promise<{ id: string }>]> = [
  ['is closed', ['CLOSED'], () => readyIssue(server, { stateId: states['Done'] })],
  ['waits for triage', ['UNTRIAGED'], () => readyIssue(server, { stateId: states['Triage'] })],
  ['has only a checklist', ['NOT_DESCRIBED'], () => readyIssue(server, { descriptionMarkdown: '- [ ] it works' })],
  [
    'has no criterion',
    ['NO_CRITERIA'],
    () => readyIssue(server, { descriptionMarkdown: 'It should do what is written here.' })
  ],
  [
    'is blocked',
    ['BLOCKED'],
    async () => {
      const issue = await readyIssue(server)
      await relate((await readyIssue(server)).id, issue.id)
      return issue
    }
  ],
  [
    'was begun by oneself',
    ['CLAIMED'],
    async () => {
      const issue = await readyIssue(server)
      await server.ok(`/v1/issues/${issue.id}/pick_up`, { body: {} })
      return issue
    }
  ],
  [
    'is assigned to somebody else',
    ['ASSIGNED_TO_OTHER'],
    async () => readyIssue(server, { assigneeId: (await server.agent('Somebody else')).id })
  ],
  ['has open sub-issues', ['OPEN_SUB_ISSUES'], () => readyIssue(server, { subIssues: [{ title: 'A part' }] })],
  [
    'is delegated',
    ['RUNNING'],
    async () => {
      const issue = await readyIssue(server, { stateId: states['In Progress'] })
      t.strictSame(await reasonsAgainst(issue.id), [])
      return issue
    }
  ]
]
for (const [what, codes, file] of notReady) {
  t.test(`an issue that ${what} is neither listed as ready nor delegated`, async t => {
    const { id } = await file()
    t.notOk(await isListed(id))
    t.ok((await reasonsAgainst(id)).includes(codes[0]!))
  })
}

const ready: Array<[string, () => Promise<{ id: string }>]> = [
  ['is to do', () => readyIssue(server)],
  ['is in the backlog', () => readyIssue(server, { stateId: states['Backlog'] })],
  ['is assigned to oneself and not begun', async () => readyIssue(server, { assigneeId: await me() })],
  ['is in progress and nobody has it', () => readyIssue(server, { stateId: states['In Progress'] })],
  [
    'has only closed sub-issues',
    () => readyIssue(server, { subIssues: [{ title: 'A part', stateId: states['Done'] }] })
  ]
]
for (const [what, file] of ready) {
  t.test(`an issue that ${what} is listed as ready and can be delegated`, async t => {
    const { id } = await file()
    t.ok(await isListed(id))
    t.strictSame(await reasonsAgainst(id), [])
  })
}
