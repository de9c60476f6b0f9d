import { readFile } from 'node:fs/promises'
import type pg from 'pg'

const NS_PER_MS = 1_000_000

/**
 * Milliseconds of processor time of the connections to a database so far.
 * @param client a connection to the same database
 * @returns undefined when PostgreSQL runs on another machine, or this is not Linux
 */
export async function databaseCpuMs(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`
  )
  const times = await Promise.all(rows.map(({ pid }) => processCpuMs(pid)))
  return times.includes(undefined) ? undefined : times.reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
}

/** The processor time of a process with one thread; undefined when it runs elsewhere, or not on Linux. */
async function processCpuMs(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number(text.split(' ')[0]) / NS_PER_MS
}
