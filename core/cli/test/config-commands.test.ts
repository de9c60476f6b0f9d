import { join } from 'node:path'
import t from 'tap'
import { onlyPlugins, trackerIn } from '../../../test/runner/process.ts'

t.test('config show names the source of each setting, and no secret', async t => {
  const dir = t.testdir({
    'tracker.json': JSON.stringify({
      databasePool: 5,
      plugins: { delegation: { runner: { command: ['run'], env: { KEY: 'of-the-runner' } } } }
    }),
    url: 'postgres://tracker:of-the-database@db/tracker?password=again\n',
    token: 'of-the-administrator\n'
  })
  const env = {
    TRACKER_CONFIG: join(dir, 'tracker.json'),
    DATABASE_URL_FILE: join(dir, 'url'),
    TRACKER_ADMIN_TOKEN_FILE: join(dir, 'token'),
    PORT: '4000',
    TRACKER_PLUGINS__OIDC__ENABLED: 'true',
    TRACKER_PLUGINS__OIDC__CLIENT_SECRET: 'of-the-client'
  }
  const { code, out, err } = await trackerIn(env, 'config', 'show')
  t.match({ code, err }, { code: 0, err: '' })
  const lines = Object.fromEntries(out.split('\n').map(line => line.split(/ +/, 1).concat(line.replace(/^\S+ +/, ''))))
  t.match(lines, {
    host: '"127.0.0.1"  (default)',
    port: '4000  (environment variable PORT)',
    databasePool: `5  (file ${env.TRACKER_CONFIG})`,
    databaseUrl: `"postgres://tracker:********@db/tracker?********"  (secret file ${dir}/url (DATABASE_URL_FILE))`,
    databaseDirectUrl: 'not set  (default)',
    'plugins.issues.enabled': 'true  (config/default.json)',
    'plugins.workspace.adminToken': `********  (secret file ${dir}/token (TRACKER_ADMIN_TOKEN_FILE))`,
    'plugins.oidc.clientSecret': '********  (environment variable TRACKER_PLUGINS__OIDC__CLIENT_SECRET)',
    'plugins.delegation.runner.env': `{"KEY":"********"}  (file ${env.TRACKER_CONFIG})`
  })
  t.notMatch(out, /of-the|again/)
})

t.test('config check names every fault with its source, and opens no database', async t => {
  const dir = t.testdir({ 'tracker.json': '{"port": "x", "colour": 1, "dataDir": "/nowhere/at/all"}' })
  const file = join(dir, 'tracker.json')
  const wrong = { TRACKER_CONFIG: file, DATABASE_URL_FILE: join(dir, 'gone'), TRACKER_DATABASE_POOL: 'many' }
  const { code, out, err } = await trackerIn(wrong, 'config', 'check')
  t.match({ code, out }, { code: 1, out: '' })
  for (const fault of [
    `port (${file}) must be integer`,
    `colour (${file}) is not a setting`,
    'databasePool (TRACKER_DATABASE_POOL) must be integer',
    'DATABASE_URL_FILE names a file that cannot be read: ENOENT'
  ]) {
    t.ok(err.includes(`  - ${fault}`), fault)
  }

  const off = { TRACKER_PLUGINS__WORKSPACE__ENABLED: 'false', PORT: 'x', TRACKER_DATA_DIR: '/nowhere/at/all' }
  const faults = await trackerIn(off, 'config', 'check')
  t.match(faults, { code: 1, err: /port \(PORT\) must be integer/ })
  t.match(
    faults.err,
    /'workspace' is turned off.*plugins\.workspace\.enabled is set in TRACKER_PLUGINS__WORKSPACE__ENABLED/
  )

  const right = { ...onlyPlugins('workspace'), TRACKER_DATA_DIR: '/nowhere/at/all' }
  t.match(await trackerIn(right, 'config', 'check'), { code: 0, out: '', err: 'The configuration is valid: 1 plugins' })
})
