import t from 'tap'
import { runCommand } from '../../../core/api/command.ts'
import { commands } from '../../../core/api/points.ts'
import { testServer } from '../../../test/runner/harness.ts'

interface Page {
  issues: Array<{ id: string; title: string; stateCategory: string }>
  total: number
}

t.test('a sample board is a separate workspace with all kinds of data, and can be removed', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const known = server.contributions(commands).map(({ item }) => item)
  async function run(...args: string[]): Promise<{ code: number; out: string }> {
    const output = t.capture(process.stdout, 'write')
    t.capture(process.stderr, 'write')
    try {
      const code = await runCommand(known, args, async () => {})
      const written = output().map(({ args }) => String(args[0]))
      return { code, out: written.join('').trim() }
    } finally {
      output.restore()
    }
  }
  const { code, out: token } = await run('demo')
  t.equal(code, 0)
  const { teams } = await server.ok<{ teams: Array<{ identifier: string }> }>('/v1/workspace', { token })
  t.strictSame(teams.map(({ identifier }) => identifier).toSorted(), ['ENG', 'OPS'])
  t.equal((await server.ok<object[]>('/v1/projects', { token })).length, 3)
  const page = await server.ok<Page>('/v1/issues/filter', { token, body: { view: 'list', perPage: 200 } })
  const categories = new Set(page.issues.map(({ stateCategory }) => stateCategory))
  t.equal(categories.size, 6, 'issues in every category')
  const zone = page.issues.find(({ title }) => title.startsWith('Due dates'))!
  t.match(await server.ok(`/v1/issues/${zone.id}/context`, { token }), {
    assignee: { fullname: 'Ada' },
    definitionOfDone: { met: 2, total: 3 },
    relations: [{ type: 'BLOCKS' }],
    comments: [{ author: { fullname: 'Jonas Okafor' } }, { author: { fullname: 'Ada' } }],
    history: [
      { change: 'state', to: 'Todo' },
      { change: 'state', to: 'In Progress' }
    ],
    project: { name: 'Reliable export' },
    milestone: { name: 'Right in every time zone' }
  })
  t.equal((await server.ok<object[]>('/v1/knowledge?limit=100', { token })).length, 5)
  t.match(await server.ok('/v1/agent_runs?limit=10', { token }), [
    { status: 'SUCCEEDED' },
    { status: 'FAILED', error: { reason: 'EXIT_CODE' } },
    { status: 'SUCCEEDED' }
  ])
  t.strictSame(await server.ok('/v1/issues/filter', { body: {} }), [], 'the first workspace has none of it')

  await t.rejects(run('demo'), /There is a workspace 'Sample board' already/)
  t.equal((await run('workspaces', 'remove', 'Sample board', '--yes')).code, 0)
  t.equal((await server.call('/v1/users/me', { token })).statusCode, 401)
})

t.test('without delegation and knowledge there is a sample board, too', async t => {
  const server = await testServer({
    plugins: ['workspace', 'agents', 'issues', 'comments', 'projects', 'transfer', 'demo']
  })
  t.teardown(() => server.close())
  const [command] = server.contributions(commands).flatMap(({ item }) => (item.name === 'demo' ? [item] : []))
  const output = t.capture(process.stdout, 'write')
  t.capture(process.stderr, 'write')
  await runCommand([command!], ['demo', '--name', 'Small'], async () => {}).finally(output.restore)
  const token = String(output()[0]?.args[0]).trim()
  t.ok((await server.ok<Page>('/v1/issues/filter', { token, body: { view: 'list' } })).total > 15)
})

t.test('a workspace with the longest name has a sample board, too', async t => {
  const name = `${'x'.repeat(83)}😀${'y'.repeat(15)}`
  const server = await testServer({ settings: { plugins: { workspace: { name } } } })
  t.teardown(() => server.close())
  const headers = { 'sec-fetch-site': 'same-origin' }
  const signedIn = await server.call('/v1/passwords/first', {
    token: null,
    body: { token: server.token, password: 'correct horse battery' },
    headers
  })
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!
  const board = await server.ok('/v1/demo', { token: null, body: {}, headers: { ...headers, cookie } })
  t.match(board, { name: /^Sample board of x{83}/ })
})
