import { globSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { newToken } from '../core/auth/tokens.ts'
import { copyCheckout } from './runner/checkout.ts'
import { runOffline } from './runner/offline.ts'
import { onlyPlugins, startProcess } from './runner/process.ts'
import { temporaryFolder } from './runner/temporary-folder.ts'

/** The files of a checkout, without the tests of tracker itself. */
const CHECKOUT = [
  'config',
  'core',
  'examples/plugin-package',
  'lib',
  'LICENSE',
  'package.json',
  'plugins',
  'scripts',
  'test/index.ts',
  'test/runner',
  'tsconfig.build.json',
  'tsconfig.json'
]
/** Its commands see nothing of this environment, and so run on the embedded database. */
const skip = process.env['TEST_DATABASE_URL'] ? 'the same on either database' : false

/** Votes with the route and with the tool of the package, on a server in a process of its own. */
async function assertServes(t: Test, folder: string, config: string): Promise<void> {
  const token = newToken()
  const server = await startProcess(
    {
      ...onlyPlugins('workspace', 'issues', 'mcp'),
      TRACKER_CONFIG: config,
      TRACKER_DATA_DIR: temporaryFolder(t),
      TRACKER_ADMIN_TOKEN: token
    },
    undefined,
    folder
  )
  t.teardown(() => server.end('SIGKILL'))
  const headers = { authorization: `Bearer ${token}` }
  const created = await fetch(`${server.url}/v1/issues`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ teamId: 'ENG', title: 'Dark mode' })
  })
  t.equal(created.status, 201)
  const voted = await fetch(`${server.url}/v1/votes?issueId=ENG-1`, { method: 'POST', headers })
  t.strictSame(await voted.json(), { votes: 1 })

  const agent = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/v1/mcp`), { requestInit: { headers } }))
  const { structuredContent } = await agent.callTool({ name: 'vote_for_task', arguments: { task: 'ENG-1' } })
  t.strictSame(structuredContent, { votes: 1 }, 'an account has one vote')
  await agent.close()
  t.equal(await server.end('SIGTERM'), 0)
}

t.test('the example package is built, tested, packed, installed and turned on', { skip }, async t => {
  const checkout = copyCheckout(t, CHECKOUT)
  await runOffline(checkout, 'npm', 'run', 'build')
  const example = join(checkout, 'examples/plugin-package')
  await runOffline(example, 'npm', 'install', '--ignore-scripts')
  const { stdout } = await runOffline(example, 'npm', 'test')
  t.match(stdout, /^ℹ pass 4$/m)
  t.match(stdout, /^ℹ fail 0$/m)
  await runOffline(example, 'npm', 'pack')
  const [packed] = globSync('*.tgz', { cwd: example })

  const deployment = join(checkout, 'deployment')
  await mkdir(deployment)
  writeFileSync(join(deployment, 'package.json'), '{"private": true}')
  await runOffline(deployment, 'npm', 'install', join(example, packed!))
  t.strictSame(globSync('node_modules/*', { cwd: deployment }), ['node_modules/tracker-votes'], 'no copy of tracker')
  const config = join(deployment, 'config.json')
  writeFileSync(
    config,
    JSON.stringify({ plugins: { votes: { enabled: true, from: 'tracker-votes', maxPerIssue: 5 } } })
  )
  await t.test('in a server that runs the sources', t => assertServes(t, checkout, config))
  await t.test('in a server that is built', t => assertServes(t, join(checkout, 'dist'), config))
})
