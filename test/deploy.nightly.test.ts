import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { newToken } from '../core/auth/tokens.ts'
import { migratedDatabase } from './runner/empty-database.ts'
import { freePort, onlyPlugins, startProcess, type ServerProcess } from './runner/process.ts'
import { temporaryFolder } from './runner/temporary-folder.ts'

/* The files of deploy/, read by their programs: nginx, Caddy, systemd-analyze, promtool, Kubernetes' schemas. */

const run = promisify(execFile)
const DEPLOY = fileURLToPath(new URL('../deploy', import.meta.url))
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8')
const MIB = 1024 * 1024
/** The schemas and their version: https://pypi.org/project/kubernetes-validate, Apache-2.0. */
const KUBERNETES_VALIDATE = 'kubernetes-validate==1.34.1'
const KUBERNETES = '1.34'
/** The score of `systemd-analyze security`, from 0 (all is closed) to 10, in tenths. */
const MAX_EXPOSURE_TENTHS = 30

const token = newToken()
const authorization = `Bearer ${token}`

t.test('the manifests are valid by the schemas of Kubernetes', { timeout: 300_000 }, async t => {
  const folder = temporaryFolder(t)
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', KUBERNETES_VALIDATE])
  const files = readdirSync(join(DEPLOY, 'kubernetes')).filter(
    file => file.endsWith('.yaml') && file !== 'kustomization.yaml'
  )
  t.ok(files.length >= 7)
  const validate = (file: string) =>
    run(join(folder, 'bin/kubernetes-validate'), ['--strict', '--kubernetes-version', KUBERNETES, file])
  for (const file of files) await t.resolves(validate(join(DEPLOY, 'kubernetes', file)), file)
  const wrong = join(folder, 'wrong.yaml')
  await writeFile(wrong, read('kubernetes/deployment.yaml').replace('replicas: 2', 'replica: 2'))
  await t.rejects(validate(wrong), 'and it finds a fault')
})

t.test('the unit of systemd leaves little open', async t => {
  const file = join(DEPLOY, 'systemd/tracker.service')
  await t.resolves(
    run('systemd-analyze', ['security', '--offline=yes', `--threshold=${MAX_EXPOSURE_TENTHS}`, '--no-pager', file])
  )
})

t.test('the alert rules for Prometheus are valid, and each fires when it should', async t => {
  const cwd = join(DEPLOY, 'prometheus')
  await t.resolves(run('promtool', ['check', 'rules', 'alerts.yml'], { cwd }))
  await t.resolves(run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd }))
  const folder = temporaryFolder(t)
  await writeFile(join(folder, 'alerts.yml'), read('prometheus/alerts.yml').replace('> 300', '> 30000'))
  await writeFile(join(folder, 'alerts.test.yml'), read('prometheus/alerts.test.yml'))
  await t.rejects(run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: folder }), 'and a fault is found')
})

const DATABASE = process.env['TEST_DATABASE_URL']
t.test(
  'backup.sh saves a database again and again, and keeps the last dumps',
  { skip: DATABASE === undefined && 'it is for PostgreSQL', timeout: 120_000 },
  async t => {
    const folder = temporaryFolder(t)
    const { hostname, port, username, password, pathname } = new URL(DATABASE!)
    const script = start(t, 'sh', [join(DEPLOY, 'backup.sh')], {
      BACKUP_FOLDER: folder,
      BACKUP_EVERY_SECONDS: '1',
      BACKUP_KEEP: '2',
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: pathname.slice(1)
    })
    const seen = new Set<string>()
    let dumps: string[]
    do {
      await sleep(50)
      dumps = readdirSync(folder).filter(file => file.endsWith('.dump'))
      for (const dump of dumps) seen.add(dump)
    } while (seen.size < 4 || dumps.length > 2)
    script.kill('SIGTERM')
    await once(script, 'close')
    const newest = readdirSync(folder)
      .filter(file => file.endsWith('.dump'))
      .toSorted()
      .at(-1)!
    await t.resolves(run('pg_restore', ['--list', join(folder, newest)]))
    t.equal(statSync(join(folder, newest)).mode & 0o077, 0, 'nobody else reads it')
  }
)

/** A program that is ended with the test. */
function start(t: Test, command: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const ended = once(child, 'close')
  t.teardown(() => {
    child.kill('SIGTERM')
    return ended
  })
  return child
}

type StartProxy = (t: Test, port: number, upstream: string) => Promise<ChildProcess>
const proxies: Record<string, StartProxy> = {
  async nginx(t, port, upstream) {
    const folder = temporaryFolder(t)
    const server = read('proxies/nginx.conf')
      .replaceAll('127.0.0.1:3000', upstream)
      .replace('443 ssl http2', `127.0.0.1:${port}`)
      .replaceAll(/^ *ssl_.*$/gm, '')
    await mkdir(join(folder, 'temporary'))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      kind => `${kind}_temp_path ${join(folder, 'temporary', kind)};`
    )
    const http = `http { access_log off; ${temporary.join(' ')}\n${server} }`
    await writeFile(
      join(folder, 'nginx.conf'),
      `pid ${join(folder, 'pid')}; error_log stderr; daemon off; events {}\n${http}`
    )
    return start(t, 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'])
  },
  async Caddy(t, port, upstream) {
    const folder = temporaryFolder(t)
    const config = join(folder, 'Caddyfile')
    await writeFile(config, `{\n\tadmin off\n}\n${read('proxies/Caddyfile')}`)
    const env = { TRACKER_DOMAIN: `http://127.0.0.1:${port}`, TRACKER_UPSTREAM: upstream, HOME: folder }
    return start(t, 'caddy', ['run', '--adapter', 'caddyfile', '--config', config], env)
  }
}

async function startServer(t: Test, prefix: string): Promise<ServerProcess> {
  const database = await migratedDatabase(process.env['TEST_DATABASE_URL'])
  t.teardown(database.remove)
  const server = await startProcess({
    ...database.env,
    ...onlyPlugins('workspace', 'events', 'issues', 'files', 'passwords', 'ui'),
    TRACKER_ADMIN_TOKEN: token,
    TRACKER_TRUST_PROXY: '127.0.0.1',
    TRACKER_PREFIX: prefix
  })
  t.teardown(() => server.end('SIGKILL'))
  return server
}

/** Reads an event stream until an event of a type arrives. */
async function eventOf(stream: ReadableStream<Uint8Array>, type: string): Promise<void> {
  let text = ''
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part
    if (text.includes(`"type":"${type}"`)) return
  }
  throw new Error(`The stream ended without ${type}: ${text}`)
}

for (const [name, startProxy] of Object.entries(proxies)) {
  for (const prefix of ['', '/tracker']) {
    t.test(`behind ${name}, under '${prefix}/'`, { timeout: 300_000 }, async t => {
      const server = await startServer(t, prefix)
      const port = await freePort()
      const proxy = await startProxy(t, port, new URL(server.url).host)
      const url = `http://127.0.0.1:${port}${prefix}`
      const send = (path: string, init: RequestInit = {}) =>
        fetch(url + path, { ...init, headers: { authorization, ...init.headers } })
      while (
        !(await send('/health/ready').then(
          ({ ok }) => ok,
          () => false
        ))
      ) {
        if (proxy.exitCode !== null) throw new Error(`${name} ended with ${proxy.exitCode}`)
        await sleep(50)
      }

      const page = await (await send('/board', { headers: { accept: 'text/html' } })).text()
      const script = /src="([^"]+\.js)"/.exec(page)![1]!
      t.ok(script.startsWith(`${prefix}/`), script)
      t.equal((await fetch(new URL(script, url))).status, 200)

      const events = await send('/v1/events', { headers: { accept: 'text/event-stream' } })
      const seen = eventOf(events.body!, 'issue.created')
      const body = JSON.stringify({ teamId: 'ENG', title: 'Behind a proxy' })
      const created = await send('/v1/issues', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body
      })
      t.equal(created.status, 201)
      await t.resolves(seen, 'an event passes at once, while the stream stays open')

      const content = Buffer.alloc(25 * MIB, 'tracker')
      const uploaded = await send('/v1/files', { method: 'POST', body: content })
      t.equal(uploaded.status, 201)
      const { url: address } = (await uploaded.json()) as { url: string }
      t.ok(Buffer.from(await (await send(address)).arrayBuffer()).equals(content), '25 MiB pass both ways')
      const large = await send('/v1/files', { method: 'POST', body: Buffer.alloc(28 * MIB) }).catch(() => undefined)
      // Caddy before 2.8 answers 502, and a proxy may close the connection instead of an answer.
      t.ok(large === undefined || [413, 502].includes(large.status))
    })
  }
}
