import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { issueFields, issueFilters } from '../contract.ts'
import { allFields } from '../fields/fields.ts'

type Row = { id: string } & Record<string, unknown>

let server: TestServer
const filtered = (filters: object) =>
  server.call('/v1/issues/filter', { body: { view: 'full', perPage: 200, filters } })
const matches = async (filters: object) => (await filtered(filters)).json<{ issues: Row[] }>().issues
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id).toSorted()
const isAbsent = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

/** The keys of filters, from the answer to an unknown one. */
async function filterKeys(): Promise<string[]> {
  const { message } = (await filtered({ nothing: { filterType: 'DEFINED' } })).json<{ message: string }>()
  return /: ([\w, ]+)\.$/.exec(message)![1]!.split(', ')
}

t.before(async () => {
  server = await testServer()
  const { labels } = await server.ok<{ labels: Row[] }>('/v1/workspace')
  const project = await server.ok<Row>('/v1/projects', { body: { name: 'Stability' } })
  const cycle = await server.ok<Row>('/v1/cycles', {
    body: { name: 'One', teamId: 'ENG', startsAt: '2026-01-05T00:00:00.000Z', endsAt: '2026-01-12T00:00:00.000Z' }
  })
  const milestone = await server.ok<Row>('/v1/milestones', { body: { projectId: project.id, name: 'Beta' } })
  const bare = { teamId: 'ENG', title: 'With nothing' }
  const { id: parentId } = await server.ok<Row>('/v1/issues', { body: bare })
  await server.ok('/v1/issues', {
    body: {
      teamId: 'ENG',
      title: 'With everything that can be null',
      parentId,
      assignee: 'me',
      labelIds: [labels[0]!.id],
      estimate: 3,
      dueDate: '2026-03-01',
      projectId: project.id,
      milestoneId: milestone.id,
      cycleId: cycle.id
    }
  })
})
t.teardown(() => server.close())

t.test(
  'every key whose value can be null takes DEFINED and UNDEFINED, and finds what has a value and what has none',
  async t => {
    const fields = allFields(server.contributions(issueFields))
    // Tested by the plugins that contribute them.
    const contributed = new Set(server.contributions(issueFilters).map(({ item }) => item.key))
    const all = await matches({})
    let nullable = 0
    for (const key of await filterKeys()) {
      const field = fields.find(({ filters }) => filters.includes(key))
      if (contributed.has(key)) continue
      if (!field?.isNullable) {
        t.equal((await filtered({ [key]: { filterType: 'DEFINED' } })).statusCode, 400, `${key} is never null`)
        continue
      }
      nullable++
      const without = all.filter(row => isAbsent(row[field.property]))
      const withValue = all.filter(row => !isAbsent(row[field.property]))
      t.ok(without.length > 0 && withValue.length > 0, `${key}: the test has issues with it and without it`)
      t.strictSame(idsOf(await matches({ [key]: { filterType: 'DEFINED' } })), idsOf(withValue), `${key}: DEFINED`)
      t.strictSame(idsOf(await matches({ [key]: { filterType: 'UNDEFINED' } })), idsOf(without), `${key}: UNDEFINED`)
      const none = { filterType: 'IS', value: [null] }
      t.strictSame(idsOf(await matches({ [key]: none })), idsOf(without), `${key}: null among the values`)
    }
    t.ok(nullable >= 7, `${nullable} keys can be null`)
  }
)
