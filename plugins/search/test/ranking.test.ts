import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { Timeline } from '../queries/timeline.ts'
import type { SearchHit } from '../schemas.ts'

interface Issue {
  id: string
  key: string
}
const server = await testServer({ plugins: ['workspace', 'agents', 'issues', 'comments', 'search'] })
t.teardown(() => server.close())
const file = (title: string, more = {}) => server.ok<Issue>('/v1/issues', { body: { title, teamId: 'ENG', ...more } })
const duplicateOf = ({ id }: Issue) => ({ issueRelation: { type: 'DUPLICATE_OF', relatedIssueId: id } })
async function search(query: string): Promise<SearchHit[]> {
  await server.idle()
  return server.ok(`/v1/search?query=${encodeURIComponent(query)}`)
}
async function similar({ id }: Issue): Promise<SearchHit[]> {
  await server.idle()
  return server.ok(`/v1/search/similar_issues?issueId=${id}`)
}
const keys = (hits: SearchHit[]) => hits.map(({ key }) => key)

t.test('of issues with the same words, the one that was talked about goes first', async t => {
  const quiet = await file('Gasket leaks')
  const discussed = await file('Gasket leaks')
  for (let n = 0; n < 3; n++) {
    await server.ok(`/v1/issue_comments?issueId=${discussed.id}`, { body: { bodyMarkdown: 'Here, too.' } })
  }
  t.same(keys(await search('gasket leaks')), [discussed.key, quiet.key])
})

t.test('what was said about an issue says what it is similar to', async t => {
  const asking = await file('Something is wrong')
  const cause = await file('Thermostat freezes')
  t.notOk(keys(await similar(asking)).includes(cause.key))
  const comment = await server.ok<Issue>(`/v1/issue_comments?issueId=${asking.id}`, {
    body: { bodyMarkdown: 'The thermostat freezes.' }
  })
  t.same(keys(await similar(asking)), [cause.key])
  await server.ok(`/v1/issue_comments/${comment.id}`, { method: 'DELETE' })
  t.notOk(keys(await similar(asking)).includes(cause.key))
})

t.test('a text that a known duplicate matches finds the issue that it duplicates, and first', async t => {
  const original = await file('Sprocket has no teeth')
  const duplicate = await file('Chain slips off', duplicateOf(original))
  t.same(keys(await search('chain slips off')), [original.key, duplicate.key])
})

t.test('an issue’s own link does not say what it is similar to', async t => {
  const original = await file('Valve sticks when cold')
  const asking = await file('Valve sticks in winter')
  await file('Valve sticks')
  const scores = async () => (await similar(asking)).map(({ key, score }) => ({ key, score }))
  const before = await scores()
  await server.ok(`/v1/issue_relations`, {
    body: { issueId: asking.id, type: 'DUPLICATE_OF', relatedIssueId: original.id }
  })
  t.same(await scores(), before)
})

t.test('scores are shares of what speaks for all candidates', async t => {
  for (let n = 0; n < 3; n++) await file(`Rotor ${'hums '.repeat(n)}`)
  const scores = (await search('rotor hums')).map(({ score }) => score)
  t.equal(scores.length, 3)
  t.ok(Math.abs(scores.reduce((a, b) => a + b) - 1) < 1e-9)
})

t.test('how many issues were filed before a moment is interpolated between the times that are kept', t => {
  const at = (second: number) => new Date(second * 1000)
  const timeline = new Timeline([0, 10_000, 10_000, 40_000], 300, 400)
  t.same(
    [-5, 0, 5, 10, 25, 40, 50, 60, 70].map(second => timeline.positionAt(at(second))),
    [0, 0, 50, 100, 250, 300, 375, 400, 400]
  )
  t.equal(new Timeline([], 0, 5).positionAt(at(1)), 0, 'nothing is kept of a new workspace')
  t.end()
})
