import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'

t.test(
  'blockers are added and removed with an issue, all or nothing, and listed with the ids of their relations',
  async t => {
    const server = await testServer()
    t.teardown(() => server.close())
    const file = async (title: string) =>
      (await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title } })).key
    const [a, b, c] = [await file('a'), await file('b'), await file('c')]
    const context = () =>
      server.ok<{ title: string; relations: Array<{ id: string; type: string; issue: { key: string } }> }>(
        `/v1/issues/${c}/context`
      )
    await server.ok(`/v1/issues/${c}`, { body: { addBlockedByIds: [a, b, a] } })
    const { relations } = await context()
    t.match(relations, [
      { type: 'BLOCKED', issue: { key: a, stateCategory: 'UNSTARTED' } },
      { type: 'BLOCKED', issue: { key: b, stateCategory: 'UNSTARTED' } }
    ])
    await server.ok(`/v1/issue_relations/${relations[0]!.id}`, { method: 'DELETE' })

    const refused = await server.call(`/v1/issues/${c}`, { body: { title: 'changed', removeBlockedByIds: [b, a] } })
    t.match(refused.json(), {
      statusCode: 400,
      message: new RegExp(`^${a} does not block ${c}; its blockers are: ${b}`)
    })
    t.match(await context(), { title: 'c', relations: [{ issue: { key: b } }] }, 'nothing was changed')
    for (const [key, body, status] of [
      [a, { addBlockedByIds: [c] }, 200],
      [a, { addBlockedByIds: [a] }, 400],
      [b, { addBlockedByIds: [a] }, 409],
      [a, { addBlockedByIds: ['ENG-99'] }, 404]
    ] as const) {
      t.equal((await server.call(`/v1/issues/${key}`, { body })).statusCode, status, `${key} ${JSON.stringify(body)}`)
    }
  }
)
