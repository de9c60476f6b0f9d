import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './process.ts'

/** PgBouncer knows prepared statements in transaction mode since 1.21. */
const MIN_VERSION = [1, 21] as const
const PASSWORD = 'secret'

/** The reason why no PgBouncer can be started here; undefined: none. */
export function noPgBouncer(): string | undefined {
  try {
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(
      execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' })
    )!
    if (Number(major) > MIN_VERSION[0] || Number(minor) >= MIN_VERSION[1]) return undefined
  } catch {}
  return `needs pgbouncer ${MIN_VERSION.join('.')} or newer in the PATH (scripts/postgres.sh install_pgbouncer)`
}

interface OwnPgBouncer {
  /** The same database through it. */
  through(url: string): string
  remove(): Promise<void>
}

/**
 * A PgBouncer before the PostgreSQL server of `url`, configured like in `docs/pgbouncer.md`, except for the addresses.
 */
export async function ownPgBouncer(url: string): Promise<OwnPgBouncer> {
  const server = new URL(url)
  const port = await freePort()
  const dir = await mkdtemp(join(tmpdir(), 'tracker-pgbouncer-'))
  await chmod(dir, 0o755) // it refuses to run as root, and reads its files as another user
  const [file, users] = [join(dir, 'pgbouncer.ini'), join(dir, 'userlist.txt')]
  await writeFile(users, `"${server.username}" "${PASSWORD}"\n`)
  await writeFile(
    file,
    withSettings(await documentedConfiguration(), {
      '*': `host=${server.hostname} port=${server.port}`,
      listen_addr: '127.0.0.1',
      listen_port: String(port),
      auth_file: users
    })
  )
  const child = spawn('pgbouncer', ['--quiet', file], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 && { uid: 65534, gid: 65534 })
  })
  const ended = once(child, 'exit')
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with exit code ${child.exitCode}.`)
    await sleep(20)
  }
  return {
    through: direct =>
      Object.assign(new URL(direct), { hostname: '127.0.0.1', port: String(port), password: PASSWORD }).href,
    async remove() {
      child.kill('SIGKILL')
      await ended
      await rm(dir, { recursive: true })
    }
  }
}

async function documentedConfiguration(): Promise<string> {
  const page = await readFile(new URL('../../docs/pgbouncer.md', import.meta.url), 'utf8')
  const configuration = /```ini\n(.*?)```/s.exec(page)?.[1]
  if (configuration === undefined) throw new Error('docs/pgbouncer.md has no configuration')
  return configuration
}

/** Replaces the values of settings. @throws Error when a setting does not exist */
function withSettings(configuration: string, settings: Record<string, string>): string {
  const lines = configuration.split('\n')
  for (const [name, value] of Object.entries(settings)) {
    const at = lines.findIndex(line => line.startsWith(`${name} = `))
    if (at < 0) throw new Error(`docs/pgbouncer.md does not set ${name}`)
    lines[at] = `${name} = ${value}`
  }
  return lines.join('\n')
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
