import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../test/runner/process.ts'

const run = promisify(execFile)
const script = new URL('../../scripts/postgres.sh', import.meta.url).pathname
const BIN = '/usr/lib/postgresql/15/bin'

/** PostgreSQL with a synchronous standby, behind one address that moves to the standby. */
export interface Cluster {
  /** The address, which stays the same after a failover. */
  readonly url: string
  /** The data folder of the server that takes writes. */
  readonly folder: () => string
  /** Kills the primary and promotes the standby. @returns the milliseconds until the standby takes writes */
  failOver(): Promise<number>
  remove(): Promise<void>
}

/** Runs a program of PostgreSQL as its own user, because its server refuses root. */
const asPostgres = (...command: string[]): Promise<unknown> =>
  run('runuser', ['-u', 'postgres', '--', ...command], { cwd: '/' })

/** A server in the foreground, with its log in a file. */
function startServer(folder: string, port: number, settings: string[] = []) {
  const log = openSync(`${folder}.log`, 'a')
  const options = [
    'max_connections=120',
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_wal_size=256MB',
    'log_checkpoints=off',
    ...settings
  ]
  const args = ['-D', folder, '-p', String(port), ...options.flatMap(option => ['-c', option])]
  return spawn('runuser', ['-u', 'postgres', '--', `${BIN}/postgres`, ...args], {
    cwd: '/',
    stdio: ['ignore', log, log]
  })
}

/** Repeats a command until it succeeds. */
async function succeeds(command: string, ...args: string[]): Promise<void> {
  while (!(await run(command, args).then(Boolean, () => false))) await sleep(50)
}

const postmasterOf = (folder: string): number =>
  Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])

/** Forwards connections to the port that `target` tells; `cut` ends those that are open. */
async function startForwarder(target: () => number) {
  const open = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(target(), '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      open.add(one)
      one.setNoDelay(true).pipe(other)
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one)
          other.destroy()
        })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The forwarder has no port.')
  return {
    port: address.port,
    cut: () => open.forEach(socket => socket.destroy()),
    close: () => server.close()
  }
}

interface Server {
  folder: string
  port: number
  process: ChildProcess
}

/** Starts a primary, and a standby for which it waits with each commit. */
async function startServers(folder: string): Promise<{ primary: Server; standby: Server }> {
  const ports = { primary: await freePort(), standby: await freePort() }
  const folders = { primary: join(folder, 'primary'), standby: join(folder, 'standby') }
  mkdirSync(folders.primary, { recursive: true })
  for (const path of [folder, folders.primary]) await run('chown', ['postgres:', path])
  await asPostgres(
    `${BIN}/initdb`,
    `--pgdata=${folders.primary}`,
    '--username=tracker',
    '--auth=trust',
    '--locale=C.UTF-8'
  )
  const primary = startServer(folders.primary, ports.primary)
  const connection = ['--host=127.0.0.1', `--port=${ports.primary}`, '--username=tracker']
  await succeeds('createdb', ...connection, 'tracker')
  await asPostgres(
    ...['pg_basebackup', ...connection, `--pgdata=${folders.standby}`, '--write-recovery-conf', '--checkpoint=fast']
  )
  const standby = startServer(folders.standby, ports.standby, [
    `primary_conninfo=host=127.0.0.1 port=${ports.primary} user=tracker application_name=standby`
  ])
  const psql = ['psql', ...connection, 'tracker'] as const
  await succeeds(...psql, '--command=select 1 / count(*) from pg_stat_replication')
  // After the copy: the standby waits for no other after its promotion.
  await succeeds(...psql, `--command=alter system set synchronous_standby_names = 'standby'`)
  await succeeds(...psql, '--command=select pg_reload_conf()')
  return {
    primary: { folder: folders.primary, port: ports.primary, process: primary },
    standby: { folder: folders.standby, port: ports.standby, process: standby }
  }
}

/** Starts both servers in folders below `folder`, and the address in front of them. */
export async function startCluster(folder: string): Promise<Cluster> {
  await run('bash', [script, 'install'])
  const { primary, standby } = await startServers(folder)
  let writable = primary
  const forwarder = await startForwarder(() => writable.port)
  return {
    url: `postgres://tracker@127.0.0.1:${forwarder.port}/tracker`,
    folder: () => writable.folder,
    async failOver() {
      const started = performance.now()
      process.kill(postmasterOf(primary.folder), 'SIGKILL')
      await once(primary.process, 'close')
      await asPostgres(`${BIN}/pg_ctl`, 'promote', '--wait', `--pgdata=${standby.folder}`)
      writable = standby
      forwarder.cut()
      return Math.round(performance.now() - started)
    },
    async remove() {
      forwarder.close()
      forwarder.cut()
      for (const { folder: at, process: server } of [primary, standby]) {
        if (server.exitCode !== null || server.signalCode !== null) continue
        process.kill(postmasterOf(at), 'SIGQUIT')
        await once(server, 'close')
      }
    }
  }
}
