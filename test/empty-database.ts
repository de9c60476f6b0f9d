import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export interface EmptyDatabase {
  /** The environment variables that make a server process use it. */
  readonly env: { DATABASE_URL: string } | { TRACKER_DATA_DIR: string }
  remove(): Promise<void>
}

/** An empty database of its own: on the PostgreSQL server at `url`, or, without one, embedded in a temporary folder. */
export async function emptyDatabase(url: string | undefined): Promise<EmptyDatabase> {
  if (url === undefined || url === '') {
    const dir = await mkdtemp(join(tmpdir(), 'tracker-'))
    return { env: { TRACKER_DATA_DIR: dir }, remove: () => rm(dir, { recursive: true }) }
  }
  const name = `tracker_${randomBytes(6).toString('hex')}`
  await run(url, `create database ${name}`)
  return {
    env: { DATABASE_URL: Object.assign(new URL(url), { pathname: name }).href },
    remove: () => run(url, `drop database ${name} with (force)`)
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
