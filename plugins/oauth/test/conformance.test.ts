import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { freePort } from '../../../test/runner/process.ts'
import { plugins, register } from './client.ts'

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

t.test('the authorization server passes all scenarios of the official suite', async t => {
  const server = await testServer({ plugins })
  t.teardown(async () => {
    server.app.server.closeAllConnections()
    await server.close()
  })
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const port = await freePort()
  const clientId = await register(server, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
  const options = ['--url', url, '--resource', `${url}/v1/mcp`, '--client-id', clientId, '--port', String(port)]
  const running = spawn(process.execPath, [suite, 'authorization', ...options, '--output-dir', t.testdir()])
  const ended = once(running, 'close') as Promise<[number]>
  let output = ''
  let isAsked = false
  for await (const text of running.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    output += text
    const query = /\/authorize\?(\S+)\s/.exec(output)?.[1]
    if (isAsked || query === undefined || !output.includes('Callback server started')) continue
    isAsked = true
    const answer = await server.app.inject({
      method: 'POST',
      url: '/v1/oauth/consent',
      headers: { authorization: `Bearer ${server.token}`, host: new URL(url).host },
      payload: { query, isApproved: true, newAgent: 'Conformance', scopes: ['read', 'write'] }
    })
    t.equal(answer.statusCode, 200, answer.body)
    await fetch(answer.json<{ redirectTo: string }>().redirectTo)
  }
  const [code] = await ended
  t.equal(code, 0, output)
  t.match(output, /✓ authorization-server-metadata-endpoint: \d+ passed, 0 failed/)
  t.match(output, /✓ authorization-code-grant: \d+ passed, 0 failed/)
  t.match(output, 'Running test (2 scenarios)', 'a suite with more scenarios is looked at')
})
