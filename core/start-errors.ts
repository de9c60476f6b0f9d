import { readDatabaseUrl } from './db/database-url.ts'
import { FULL_DISK_CODES } from './db/disk-space.ts'

/*
 * What most often keeps a server from starting, as sentences that say what to do. Everything else stays as it is.
 */

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

/** The address is in use, not permitted to this user, or not one of this machine. */
export function explainListenError(error: Error, host: string, port: number): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `The port ${port} of ${host} is in use: stop what listens there, or set PORT to another.`,
    EACCES: `This user may not listen on port ${port}: set PORT to one above 1023.`,
    EADDRNOTAVAIL: `${host} is no address of this machine: set HOST to one that is, or to 0.0.0.0 for all.`,
    ENOTFOUND: `There is no host called '${host}': set HOST to an address of this machine, or to 0.0.0.0 for all.`
  }
  return explain(error, sentences[codeOf(error)])
}

/** The folder of the embedded database cannot be made or written. */
export function explainDirectoryError(error: Error, dir: string): Error {
  return explain(
    error,
    `The data directory ${dir} cannot be written (${codeOf(error)}): let this user write to it, ` +
      'or set TRACKER_DATA_DIR to another folder.'
  )
}

const isFullDisk = (error: Error): boolean => FULL_DISK_CODES.includes(codeOf(error))

/** The files of the embedded database cannot be opened. A full disk is not the fault of its files. */
export function explainDamage(error: Error, dir: string): Error {
  if (isFullDisk(error)) return error
  return explain(
    error,
    `The database in ${dir} cannot be opened, as when files are missing, damaged or of another version of ` +
      'PostgreSQL: restore the whole folder from a backup, or set TRACKER_DATA_DIR to another one.'
  )
}

/** The database stores nothing more, because its disk is full. */
export function explainFullDisk(error: Error): Error {
  return explain(
    error,
    isFullDisk(error) ? 'The disk of the database is full: free some space, then run the command again.' : undefined
  )
}

/** PostgreSQL does not answer, or does not let this user in. */
export function explainConnectError(error: Error, url: string): Error {
  const parsed = readDatabaseUrl(url)
  if (parsed === undefined) return error
  const { hostname, port, username, pathname } = parsed
  const server = `PostgreSQL at ${hostname || 'this machine'}:${port || 5432}`
  const database = decodeURIComponent(pathname.slice(1))
  const code = codeOf(error)
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code)) {
    return explain(error, `${server} does not answer (${code}): start it, or correct DATABASE_URL.`)
  }
  if (/timeout/.test(error.message)) {
    return explain(error, `${server} does not answer in time: check its load, or correct DATABASE_URL.`)
  }
  if (code.startsWith('28') || /^SASL: /.test(error.message)) {
    return explain(
      error,
      `${server} refuses the user '${decodeURIComponent(username)}': correct user and password in DATABASE_URL, ` +
        'or set PGPASSWORD.'
    )
  }
  return explain(
    error,
    code === '3D000'
      ? `${server} has no database '${database}': create it (createdb ${database}), or correct DATABASE_URL.`
      : undefined
  )
}

/** A migration needs an extension that is not installed, or that this user may not create. */
export function explainMigrationError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const name = /extension "(\w+)"/.exec(error.message)?.[1]
  if (name === undefined) return undefined
  const project = name === 'vector' ? 'pgvector' : name
  if (codeOf(error) === '0A000' || codeOf(error) === '58P01') {
    return (
      `PostgreSQL does not have the extension ${project}: install it on the database server ` +
      '(https://github.com/pgvector/pgvector#installation; the image pgvector/pgvector has it), and start again.'
    )
  }
  if (codeOf(error) !== '42501') return undefined
  return (
    `This user of PostgreSQL may not create the extension ${project}: have a superuser run ` +
    `"create extension ${name}" in this database once, and start again.`
  )
}

const explain = (error: Error, sentence: string | undefined): Error =>
  sentence === undefined ? error : new Error(sentence, { cause: error })
