import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { testServer } from '../../../../test/runner/harness.ts'

const run = promisify(execFile)
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

/** A proxy that adds a token, which the suite cannot send. */
async function withToken(origin: string, token: string) {
  const { hostname, port } = new URL(origin)
  const proxy = createServer((incoming, outgoing) => {
    const { url: path, method, headers } = incoming
    const onward = request(
      { hostname, port, path, method, headers: { ...headers, authorization: `Bearer ${token}` } },
      answer => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      }
    )
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1/mcp`, proxy }
}

const server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
const { url, proxy } = await withToken(await server.app.listen({ host: '127.0.0.1', port: 0 }), server.token)
t.teardown(async () => {
  proxy.closeAllConnections()
  proxy.close()
  server.app.server.closeAllConnections()
  await server.close()
})

for (const revision of ['2025-11-25', '2026-07-28']) {
  t.test(`the official suite for ${revision} fails where it is known to, and nowhere else`, async t => {
    const { stdout } = await run(process.execPath, [
      suite,
      'server',
      '--url',
      url,
      '--requirements',
      revision,
      '--expected-failures',
      here(`${revision}.yaml`),
      '--output-dir',
      t.testdir()
    ]).catch((error: { stdout: string; stderr: string }) => {
      throw new Error((error.stdout + error.stderr).split('=== SUMMARY ===').at(-1))
    })
    t.match(stdout, /✓ tools-list: \d+ passed, 0 failed/)
    t.match(stdout, /✓ dns-rebinding-protection: \d+ passed, 0 failed/)
    t.comment(/Total: .*/.exec(stdout)?.[0])
  })
}
