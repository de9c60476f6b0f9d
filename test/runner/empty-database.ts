import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dropCopies, fillDataDirectory, postgresCopy, withConnection } from './templates.ts'

export interface EmptyDatabase {
  /** The environment variables that make a server process use it. */
  readonly env: { DATABASE_URL: string } | { TRACKER_DATA_DIR: string }
  remove(): Promise<void>
}

/** A new empty database: on the PostgreSQL server at `url`, or, without one, embedded in a temporary folder. */
export async function emptyDatabase(url: string | undefined): Promise<EmptyDatabase> {
  if (url === undefined || url === '') {
    const dir = await mkdtemp(join(tmpdir(), 'tracker-'))
    return { env: { TRACKER_DATA_DIR: dir }, remove: () => rm(dir, { recursive: true }) }
  }
  const name = `tracker_${randomBytes(6).toString('hex')}`
  await run(url, `create database ${name}`)
  return {
    env: { DATABASE_URL: Object.assign(new URL(url), { pathname: name }).href },
    remove: () => drop(url, name)
  }
}

/** Like `emptyDatabase`, with all tables. */
export async function migratedDatabase(url: string | undefined): Promise<EmptyDatabase> {
  if (url === undefined || url === '') {
    const database = await emptyDatabase(url)
    if ('TRACKER_DATA_DIR' in database.env) await fillDataDirectory(database.env.TRACKER_DATA_DIR)
    return database
  }
  const copy = await postgresCopy(url)
  return { env: { DATABASE_URL: copy }, remove: () => dropCopies(url, [new URL(copy).pathname.slice(1)]) }
}

const drop = (url: string, name: string): Promise<void> => run(url, `drop database ${name} with (force)`)

const run = (url: string, statement: string): Promise<void> =>
  withConnection(url, async client => {
    await client.query(statement)
  })
