import t from 'tap'
import { mcpTools } from '../plugins/mcp/contract.ts'
import { problemsOf, type Surface } from './guide-text.ts'
import { testServer } from './runner/harness.ts'
import { allPlugins, without, withRequired } from './runner/requirements.ts'

const names = [...allPlugins.keys()]
const cases: Array<[string, string[]]> = [
  ['none', []],
  ...names.map((name): [string, string[]] => [`${name} with only what it requires`, withRequired(name)]),
  ...names.map((name): [string, string[]] => [`all but ${name} and what requires it`, without(name)]),
  ['all', names]
]
/** Several names may mean the same plugins: once is enough. */
const distinct = new Map(cases.map(([name, on]) => [on.toSorted().join(), { name, on }]))
for (const { name, on } of distinct.values()) {
  t.test(name, async t => {
    const server = await testServer({ plugins: on })
    t.teardown(() => server.close())
    const ready = await server.call('/health/ready', { token: null })
    t.equal(ready.statusCode, 200, ready.body)
    t.match(ready.json(), { events: { consumers: Object } }, 'the core’s fields, not those of plugins')
    const document = (await server.call('/openapi.json', { token: null })).json<Surface['document']>()
    const { paths } = document
    t.ok(paths['/health/live'])
    t.equal('/v1/issues/{issueId}/context' in paths, on.includes('issues'))
    if (on.includes('skills')) {
      const { skills } = await server.ok<{ skills: Array<{ name: string; url: string }> }>('/.well-known/agent-skills/')
      const surface = {
        tools: server.contributions(mcpTools).map(({ item }) => item),
        document,
        guides: skills.map(({ name }) => name)
      }
      for (const { url } of skills) {
        t.strictSame(
          problemsOf((await server.call(`/.well-known/agent-skills/${url}`)).body, surface),
          [],
          `${url} names only what is on`
        )
      }
    }
    if (!on.includes('issues')) return
    const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'There' } })
    const context = await server.ok<Record<string, unknown>>(`/v1/issues/${key}/context`)
    t.equal('comments' in context, on.includes('comments'), 'the context shows what is on')
    t.equal('project' in context, on.includes('projects'))
  })
}
