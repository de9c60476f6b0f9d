import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/runner/process.ts'

/** Two replicas behind nginx; each keeps its port, and appends its log to a file. */
export interface Replicas {
  /** The address of nginx. */
  readonly url: string
  readonly folder: string
  /** The processes that run now, by the name of the replica. */
  pids(): Record<string, number>
  /** Stops the replicas one after the other and starts each again from a checkout. @returns the seconds it took */
  roll(checkout: string): Promise<number>
  /** Copies each log and empties it, as logrotate's `copytruncate`. */
  rotateLogs(): void
  remove(): Promise<void>
}

/** A server in a process of its own, with a file for what it logs. */
interface Replica {
  name: string
  port: number
  log: string
  process: ChildProcess
}

/** As `npm start` in a checkout, but the signal reaches the server of every version. */
function startReplica(checkout: string, log: string, port: number, env: Record<string, string>): ChildProcess {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const output = openSync(log, 'a')
  const child = spawn('sh', ['-c', scripts.start.replace(/\b(?:exec )?node /, 'exec node ')], {
    cwd: checkout,
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
    stdio: ['ignore', output, output]
  })
  closeSync(output)
  return child
}

async function untilReady({ name, port, process, log }: Replica): Promise<void> {
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false
    )
  while (!(await isReady())) {
    if (process.exitCode !== null) {
      throw new Error(
        `The process ${name} ended with exit code ${process.exitCode}: ${readFileSync(log, 'utf8').slice(-2_000)}`
      )
    }
    await sleep(100)
  }
}

/**
 * Tries the other replica where one does not take the connection, or ends it: each write has an Idempotency-Key. No
 * replica counts as failed (`max_fails=0`): both could, while one is restarted right after the other.
 */
const nginxConfig = (folder: string, port: number, upstreams: number[]): string => `
pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; daemon off; worker_processes 1;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(kind => `${kind}_temp_path ${folder}/nginx-${kind};`)
    .join('\n  ')}
  upstream tracker {
    ${upstreams.map(each => `server 127.0.0.1:${each} max_fails=0;`).join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://tracker;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_next_upstream error timeout non_idempotent;
      proxy_buffering off;
      proxy_read_timeout 1h;
    }
  }
}
`

/** Starts both replicas from a checkout, then nginx. */
export async function startReplicas(folder: string, checkout: string, env: Record<string, string>): Promise<Replicas> {
  mkdirSync(folder)
  const start = async (name: string, port: number, from: string): Promise<Replica> => {
    const log = join(folder, `${name}.log`)
    const replica = { name, port, log, process: startReplica(from, log, port, env) }
    await untilReady(replica)
    return replica
  }
  const stop = async ({ process }: Replica) => {
    process.kill('SIGTERM')
    await once(process, 'close')
  }
  const replicas: Replica[] = []
  for (const name of ['a', 'b']) replicas.push(await start(name, await freePort(), checkout))
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    nginxConfig(
      folder,
      port,
      replicas.map(each => each.port)
    )
  )
  const nginx = spawn('nginx', ['-p', folder, '-c', config, '-e', join(folder, 'nginx.log')], { stdio: 'inherit' })
  await untilReady({ name: 'nginx', port, log: join(folder, 'nginx.log'), process: nginx })
  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    pids: () => Object.fromEntries(replicas.map(({ name, process }) => [name, process.pid!])),
    async roll(from) {
      const started = performance.now()
      for (const [n, replica] of replicas.entries()) {
        await stop(replica)
        replicas[n] = await start(replica.name, replica.port, from)
      }
      return Math.round((performance.now() - started) / 1000)
    },
    rotateLogs() {
      for (const { log } of replicas) {
        copyFileSync(log, `${log}.1`)
        truncateSync(log)
      }
    },
    async remove() {
      await Promise.all(replicas.map(stop))
      nginx.kill('SIGTERM')
      await once(nginx, 'close')
    }
  }
}
