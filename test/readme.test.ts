import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { examplesIn } from './guide-text.ts'
import { testServer } from './runner/harness.ts'
import { mcpAgent } from './mcp-client.ts'

const run = promisify(execFile)

/** The section of a page that begins with the heading `title`. */
const sectionOf = (page: string, title: string): string =>
  readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')
    .split(/^## /m)
    .find(part => part.startsWith(`${title}\n`))!

t.test('the first task of the README works over MCP, in the order of its calls', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const agent = await mcpAgent(server)
  const examples = examplesIn(sectionOf('README.md', 'The first task'))
  t.strictSame(
    examples.map(({ tool }) => tool),
    ['create_task', 'pick_up_task', 'update_task', 'close_task']
  )
  for (const { tool, args, answer = {} } of examples) t.match(await agent.ok(tool, args), answer, tool)
  t.match(await server.ok('/v1/issues/ENG-1/context'), {
    state: { name: 'Done' },
    definitionOfDone: { met: 2, total: 2 }
  })
})

t.test('the first ten minutes of docs/api.md work, in their order', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const port = (server.app.server.address() as { port: number }).port
  // The message of the first start proposes to create one.
  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'My first issue' } })

  const section = sectionOf('docs/api.md', 'The first ten minutes')
  const steps = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(match => match[1]!)
  t.ok(steps.length >= 7)
  // One shell, so that later steps use exported variables. Each answer is a line of its own.
  const script = steps.map(step => `${step.trimEnd()}\necho`).join('\n')
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    env: { PATH: process.env['PATH'], TRACKER_URL: `http://127.0.0.1:${port}`, TRACKER_TOKEN: server.token }
  })
  const answers = stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Record<string, unknown>)
  t.match(answers, [
    { key: 'ENG-2', priority: 2, definitionOfDone: { met: 0, total: 2 } },
    { stateCategory: 'STARTED' },
    { descriptionMarkdown: /\[x\] dates are exported\n- \[x\] a test says so/ },
    { bodyMarkdown: /fixed/ },
    { total: 1, issues: [{ key: 'ENG-2', stateCategory: 'COMPLETED' }] },
    { jsonrpc: '2.0', id: 1, result: { structuredContent: { key: 'ENG-2' } } }
  ])
})
