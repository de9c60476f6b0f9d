import { FULL_DISK_CODES } from './db/disk-space.ts'

/*
 * What most often keeps a server from starting, as sentences that say what to do. Everything else stays as it is.
 */

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

/** The address is taken, not this user's to take, or not this machine's. */
export function explainListenError(error: Error, host: string, port: number): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `The port ${port} of ${host} is in use: stop what listens there, or set PORT to another.`,
    EACCES: `This user may not listen on port ${port}: set PORT to one above 1023.`,
    EADDRNOTAVAIL: `${host} is no address of this machine: set HOST to one that is, or to 0.0.0.0 for all.`,
    ENOTFOUND: `There is no host called '${host}': set HOST to an address of this machine, or to 0.0.0.0 for all.`
  }
  return explained(error, sentences[codeOf(error)])
}

/** The folder of the embedded database cannot be made or written. */
export function explainDirectoryError(error: Error, dir: string): Error {
  return explained(
    error,
    `The data directory ${dir} cannot be written (${codeOf(error)}): let this user write to it, ` +
      'or set TRACKER_DATA_DIR to another folder.'
  )
}

/** The database stores nothing more, because its disk is full. */
export function explainFullDisk(error: Error): Error {
  const isFull = FULL_DISK_CODES.includes(codeOf(error))
  return explained(
    error,
    isFull ? 'The disk of the database is full: free some space, then run the command again.' : undefined
  )
}

/** PostgreSQL does not answer, or does not let this user in. */
export function explainConnectError(error: Error, url: string): Error {
  const { hostname, port, username, pathname } = new URL(url)
  const server = `PostgreSQL at ${hostname || 'this machine'}:${port || 5432}`
  const database = decodeURIComponent(pathname.slice(1))
  const code = codeOf(error)
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code)) {
    return explained(error, `${server} does not answer (${code}): start it, or correct DATABASE_URL.`)
  }
  if (/timeout/.test(error.message)) {
    return explained(error, `${server} does not answer in time: look after it, or correct DATABASE_URL.`)
  }
  if (code.startsWith('28') || /^SASL: /.test(error.message)) {
    return explained(
      error,
      `${server} refuses the user '${decodeURIComponent(username)}': correct user and password in DATABASE_URL, ` +
        'or set PGPASSWORD.'
    )
  }
  return explained(
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

const explained = (error: Error, sentence: string | undefined): Error =>
  sentence === undefined ? error : new Error(sentence, { cause: error })
