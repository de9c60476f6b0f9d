import { unescape } from 'node:querystring'
import { readDatabaseUrl } from './database-url.ts'
import { FULL_DISK_CODES } from './limits.ts'

/* The frequent problems of a start, as sentences that say what to do. Other errors stay as they are. */

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

export function explainListenError(error: Error, host: string, port: number): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `The port ${port} of ${host} is in use: stop the process that listens there, or set PORT to another.`,
    EACCES: `This user may not listen on port ${port}: set PORT to one above 1023.`,
    EADDRNOTAVAIL: `${host} is no address of this machine: set HOST to one that is, or to 0.0.0.0 for all.`,
    ENOTFOUND: `There is no host called '${host}': set HOST to an address of this machine, or to 0.0.0.0 for all.`
  }
  return explain(error, sentences[codeOf(error)])
}

export function explainDirectoryError(error: Error, dir: string): Error {
  return explain(
    error,
    `The data directory ${dir} cannot be written (${codeOf(error)}): let this user write to it, ` +
      'or set TRACKER_DATA_DIR to another folder.'
  )
}

const isFullDisk = (error: Error): boolean => FULL_DISK_CODES.includes(codeOf(error))

/** A full disk does not damage them. */
export function explainDamage(error: Error, dir: string): Error {
  if (isFullDisk(error)) return error
  return explain(
    error,
    `The database in ${dir} cannot be opened, as when files are missing, damaged or of another version of ` +
      'PostgreSQL: restore the whole folder from a backup, or set TRACKER_DATA_DIR to another one.'
  )
}

export function explainFullDisk(error: Error): Error {
  return explain(
    error,
    isFullDisk(error) ? 'The disk of the database is full: free some space, then run the command again.' : undefined
  )
}

function namesIn({ hostname, port, username, pathname }: URL) {
  return {
    server: `PostgreSQL at ${hostname || 'this machine'}:${port || 5432}`,
    user: unescape(username),
    database: unescape(pathname.slice(1))
  }
}
type Names = ReturnType<typeof namesIn>

/** @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNKNOWN_AUTHORITY =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)\w*)$/

function explainTls(error: Error, { server, user, database }: Names): string | undefined {
  const { message } = error
  const code = codeOf(error)
  if (UNKNOWN_AUTHORITY.test(code)) {
    return (
      `The certificate of ${server} is signed by an authority that is not known here (${code}): add ` +
      'sslrootcert=FILE with the certificate of that authority to DATABASE_URL. With sslmode=no-verify nobody checks ' +
      'who answers.'
    )
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return (
      `The certificate of ${server} is for another name (${message}): write that name in DATABASE_URL, or, if its ` +
      'authority is yours, use sslmode=verify-ca with sslrootcert=FILE.'
    )
  }
  if (/^CERT_/.test(code)) return `The certificate of ${server} is not valid (${code}): renew it there.`
  if (/does not support SSL/.test(message)) {
    return `${server} takes no TLS connections: set ssl = on there, or take sslmode out of DATABASE_URL.`
  }
  if (/client certificate/.test(message)) {
    return `${server} asks for a certificate of its client: add sslcert=FILE and sslkey=FILE to DATABASE_URL.`
  }
  if (!/no pg_hba\.conf entry/.test(message)) return undefined
  return /no encryption/.test(message)
    ? `${server} takes no unencrypted connection of the user '${user}' to the database '${database}' from here: add ` +
        '?sslmode=verify-full to DATABASE_URL, or a line to its pg_hba.conf.'
    : `${server} takes no connection of the user '${user}' to the database '${database}' from here: add a line to ` +
        'its pg_hba.conf.'
}

export function explainConnectError(error: Error, url: string): Error {
  const parsed = readDatabaseUrl(url)
  if (parsed === undefined) return error
  const names = namesIn(parsed)
  const { server, user, database } = names
  const code = codeOf(error)
  const tls = explainTls(error, names)
  if (tls !== undefined) return explain(error, `${tls} See docs/postgresql.md.`)
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code)) {
    return explain(error, `${server} does not answer (${code}): start it, or correct DATABASE_URL.`)
  }
  if (/timeout/.test(error.message)) {
    return explain(error, `${server} does not answer in time: check its load, or correct DATABASE_URL.`)
  }
  if (code.startsWith('28') || /^SASL: /.test(error.message)) {
    return explain(
      error,
      `${server} refuses the user '${user}': correct user and password in DATABASE_URL, ` + 'or set PGPASSWORD.'
    )
  }
  if (code === '42501') {
    return explain(
      error,
      `The user '${user}' may not connect to the database '${database}' of ${server}: have its owner run ` +
        `"grant connect on database ${database} to ${user}". See docs/postgresql.md.`
    )
  }
  return explain(
    error,
    code === '3D000'
      ? `${server} has no database '${database}': create it (createdb ${database}), or correct DATABASE_URL.`
      : undefined
  )
}

export function explainUnusable(
  { isStandby, isReadOnly, encoding }: { isStandby: boolean; isReadOnly: boolean; encoding: string },
  url: string
): string | undefined {
  const parsed = readDatabaseUrl(url)
  if (parsed === undefined) return undefined
  const { server, user, database } = namesIn(parsed)
  if (encoding !== 'UTF8') {
    return (
      `The database '${database}' of ${server} has the encoding ${encoding}, and texts need UTF8: make another one ` +
      '(createdb --template=template0 --encoding=UTF8 NAME), restore a pg_dump of this one into it if there is ' +
      'something in it, and name it in DATABASE_URL. See docs/postgresql.md.'
    )
  }
  if (!isStandby && !isReadOnly) return undefined
  return isStandby
    ? `${server} is a standby, which takes no writes: name the primary in DATABASE_URL. See docs/postgresql.md.`
    : `${server} makes transactions of the user '${user}' read-only (default_transaction_read_only): turn that off ` +
        'for this user and database. See docs/postgresql.md.'
}

export function explainMigrationError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const name = /extension "(\w+)"/.exec(error.message)?.[1]
  if (name === undefined) return ['42501', '3F000'].includes(codeOf(error)) ? explainRights(error.message) : undefined
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

/** @param refused PostgreSQL's message, such as `permission denied for schema public` */
const explainRights = (refused: string): string =>
  `This user of PostgreSQL may not make or change the tables (${refused}): have a superuser make it the owner of the ` +
  'database, "alter database NAME owner to USER", and of the tables that another user made, "reassign owned by OTHER ' +
  'to USER". See docs/postgresql.md.'

const explain = (error: Error, sentence: string | undefined): Error =>
  sentence === undefined ? error : new Error(sentence, { cause: error })
