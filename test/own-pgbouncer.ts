import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './process.ts'

/** PgBouncer knows prepared statements in transaction mode since 1.21. */
const MIN_VERSION = [1, 21] as const

/** Why no PgBouncer can be started here; undefined when one can. */
export function noPgBouncer(): string | undefined {
  try {
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(
      execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' })
    )!
    if (Number(major) > MIN_VERSION[0] || Number(minor) >= MIN_VERSION[1]) return undefined
  } catch {}
  return `needs pgbouncer ${MIN_VERSION.join('.')} or newer in the PATH`
}

/** A PgBouncer in transaction mode, before the PostgreSQL server of `url`. @returns the same database through it */
export async function ownPgBouncer(url: string): Promise<{ url: string; remove(): Promise<void> }> {
  const server = new URL(url)
  const port = await freePort()
  const dir = await mkdtemp(join(tmpdir(), 'tracker-pgbouncer-'))
  await chmod(dir, 0o755) // it refuses to run as root, and reads its file as another user
  const file = join(dir, 'pgbouncer.ini')
  const password = server.password === '' ? '' : ` password=${server.password}`
  const settings = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${server.username}${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_prepared_statements = 500',
    'ignore_startup_parameters = options'
  ]
  await writeFile(file, settings.join('\n'))
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
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    async remove() {
      child.kill('SIGKILL')
      await ended
      await rm(dir, { recursive: true })
    }
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
