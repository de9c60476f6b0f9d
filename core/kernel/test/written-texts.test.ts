import t from 'tap'
import { contract } from '../../api/contract.ts'
import { definePlugin, dependsOn } from '../../api/plugin.ts'
import { textListeners } from '../../api/points.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

const listener = contract()('listener')
const heard: string[] = []
const plugin = definePlugin(dependsOn(listener), {
  summary: 'Hears about texts that are written',
  register(ctx) {
    ctx.contribute(textListeners, async (_caller, _trx, texts) => {
      for (const { subjectType, subjectId, markdown } of texts) {
        heard.push(`${subjectType} ${subjectId} ${markdown}`)
        if (markdown.includes('refused')) throw new Error('This text is refused.')
      }
    })
  }
})

let server: TestServer
t.before(async () => {
  server = await testServer({ also: { listener: async () => ({ default: plugin }) } })
})
t.teardown(() => server.close())
t.beforeEach(() => {
  heard.length = 0
})
const file = (descriptionMarkdown: string) =>
  server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Task', descriptionMarkdown } })

t.test('a listener hears of each text that is stored, with the subject whose readers see it', async t => {
  const issue = await file('first')
  await server.ok(`/v1/issues/${issue.id}`, { body: { descriptionMarkdown: 'second' } })
  await server.ok(`/v1/issues/${issue.id}`, { body: { title: 'Other' } })
  const notes = `/v1/issue_comments?issueId=${issue.id}`
  const note = await server.ok<{ id: string }>(notes, { body: { bodyMarkdown: 'a' } })
  await server.ok(`/v1/issue_comments/${note.id}`, { body: { bodyMarkdown: 'b' } })
  const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'P', descriptionMarkdown: 'c' } })
  await server.ok(`/v1/projects/${project.id}`, { body: { descriptionMarkdown: 'd' } })
  const entry = await server.ok<{ id: string }>('/v1/knowledge', { body: { content: 'e', kind: 'FACT' } })
  await server.ok(`/v1/knowledge/${entry.id}`, { body: { content: 'f' } })
  t.strictSame(heard, [
    `issue ${issue.id} first`,
    `issue ${issue.id} second`,
    `issue ${issue.id} a`,
    `issue ${issue.id} b`,
    `project ${project.id} c`,
    `project ${project.id} d`,
    `knowledge ${entry.id} e`,
    `knowledge ${entry.id} f`
  ])
})

t.test('what a listener throws undoes the change', async t => {
  const issue = await file('first')
  const answer = await server.call(`/v1/issues/${issue.id}`, { body: { descriptionMarkdown: 'refused' } })
  t.equal(answer.statusCode, 500)
  t.match(await server.ok(`/v1/issues/${issue.id}`), { descriptionMarkdown: 'first' })
})
