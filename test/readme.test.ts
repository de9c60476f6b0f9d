import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { testServer } from './harness.ts'

const run = promisify(execFile)

t.test('the first ten minutes of the README work, in their order', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const port = (server.app.server.address() as { port: number }).port

  const section = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    .split(/^## /m)
    .find(part => part.startsWith('The first ten minutes'))!
  const steps = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(match => match[1]!)
  t.ok(steps.length >= 7)
  // One shell, as a reader has: later steps use what earlier ones exported. Each answer is a line of its own.
  const script = steps.map(step => `${step.trimEnd()}\necho`).join('\n')
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    env: { PATH: process.env['PATH'], TRACKER_URL: `http://127.0.0.1:${port}`, TRACKER_TOKEN: server.token }
  })
  const answers = stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Record<string, unknown>)
  t.match(answers, [
    { key: 'ENG-1', priority: 2 },
    { key: 'ENG-1', definitionOfDone: { met: 0, total: 2 } },
    { stateCategory: 'STARTED' },
    { descriptionMarkdown: /\[x\] dates are exported\n- \[x\] a test says so/ },
    { bodyMarkdown: /fixed/ },
    { total: 1, issues: [{ key: 'ENG-1', stateCategory: 'COMPLETED' }] }
  ])
})
