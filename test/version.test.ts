import { readFileSync } from 'node:fs'
import t from 'tap'
import { testServer } from './runner/harness.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

t.test('health, OpenAPI and MCP tell the version of the package', async t => {
  const server = await testServer({ plugins: ['workspace', 'issues', 'mcp'] })
  t.teardown(() => server.close())
  t.match((await server.call('/health/ready', { token: null })).json(), { version })
  t.match((await server.call('/openapi.json', { token: null })).json(), { info: { version } })
  const answer = await server.call('/v1/mcp', {
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    }
  })
  t.match(answer.body, `"serverInfo":{"name":"tracker","version":"${version}"}`)
})

t.test('the changelog has the version, or what is unreleased while it is being made', t => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name)
  t.ok(headings.includes(version.includes('-') ? 'Unreleased' : version), `${version} in ${headings.join(', ')}`)
  t.end()
})
