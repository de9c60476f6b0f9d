import { execFile } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import t, { type Test } from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { ownPostgres } from '../../../test/runner/own-postgres.ts'
import { configure } from '../../config/config.ts'
import { newToken } from '../../auth/tokens.ts'

const run = promisify(execFile)
const skip = !onPostgres && 'needs a PostgreSQL server'
/** The server's certificates are for this name; 127.0.0.1 is the same host. */
const NAME = 'localhost'

/** Starts a server like a process, up to listening. */
async function start(url: string): Promise<void> {
  const server = await testServer({ plugins: ['workspace'], database: { url, token: newToken() } })
  await server.close()
}

t.test('several hosts, unknown modes and files that are not there are refused before anything starts', async t => {
  const refused: Record<string, RegExp> = {
    'postgres://u:hush@h1,h2/d': /names several hosts, .* the primary/,
    'postgres://u:hush@h1:5432,h2:5433/d?target_session_attrs=read-write': /names several hosts/,
    'postgres:///d?host=h1,h2&password=hush': /names several hosts/,
    'postgres://u:hush@h/d?sslmode=allow': /sslmode that is none of: disable, prefer, require, verify-ca/,
    'postgres://u:hush@h/d?sslmode=verify-ca': /sslmode=verify-ca without the certificate of an authority: add/,
    'postgres://u:hush@h/d?sslrootcert=/nowhere/ca.pem': /names a file as sslrootcert that cannot be read: ENOENT/,
    'postgres://u:hush@h/d?target_session_attrs=standby': /asks for a standby/
  }
  for (const [databaseUrl, message] of Object.entries(refused)) {
    const error = await configure({}, { databaseUrl }).then(
      () => new Error('It was taken.'),
      (error: Error) => error
    )
    t.match(error.message, message, databaseUrl)
    t.notMatch(error.message, /hush/)
  }
  for (const databaseUrl of [
    'postgres://u:a,b@h/d?sslmode=require',
    'postgres://u@h/d?sslmode=verify-full&sslrootcert=system&target_session_attrs=read-write'
  ]) {
    t.match(await configure({}, { databaseUrl }), { settings: { databaseUrl } })
  }
})

/** A PostgreSQL server with TLS, whose certificate is signed by an authority of its own, and a superuser. */
async function tlsServer(t: Test) {
  const server = await ownPostgres()
  t.teardown(() => server.remove())
  const admin = new pg.Client(server.url)
  await admin.connect()
  admin.on('error', () => {})
  const { rows } = await admin.query<{ data: string; hba: string }>(
    "select current_setting('data_directory') as data, current_setting('hba_file') as hba"
  )
  const { data, hba } = rows[0]!
  const folder = mkdtempSync(join(tmpdir(), 'tracker-certificates-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const make = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
  await openssl('req', '-x509', ...make, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Own authority')
  await openssl('req', ...make.slice(0, 3), '-keyout', 'key.pem', '-out', 'request.pem', '-subj', `/CN=${NAME}`)
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${NAME}`)
  await openssl(
    ...['x509', '-req', '-in', 'request.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-days', '2', '-extfile', 'names', '-out', 'cert.pem']
  )
  const { uid, gid } = statSync(data)
  for (const name of ['key.pem', 'cert.pem', 'ca.pem']) {
    copyFileSync(join(folder, name), join(data, name))
    chownSync(join(data, name), uid, gid)
    chmodSync(join(data, name), 0o600)
  }
  return {
    server,
    admin,
    data,
    ca: join(folder, 'ca.pem'),
    url: (parameters: string, host = NAME) => {
      const url = new URL(server.url)
      return `postgres://tracker@${host}:${url.port}/tracker?${parameters}`
    },
    async useTls() {
      await admin.query("alter system set ssl_cert_file = 'cert.pem'")
      await admin.query("alter system set ssl_key_file = 'key.pem'")
      await admin.query("alter system set ssl_ca_file = 'ca.pem'")
      await admin.query('alter system set ssl = on')
      await admin.query('select pg_reload_conf()')
    },
    async allow(...lines: string[]) {
      writeFileSync(hba, `${lines.join('\n')}\n`)
      await admin.query('select pg_reload_conf()')
    }
  }
}

t.test('connections over TLS, and why they are refused', { skip }, async t => {
  const { server, admin, url, ca, useTls, allow } = await tlsServer(t)
  await t.rejects(start(url('sslmode=require')), {
    message: /takes no TLS connections: set ssl = on there, or take sslmode out of DATABASE_URL/
  })
  await useTls()
  await allow('hostssl all tracker 127.0.0.1/32 trust', 'hostssl all tracker ::1/128 trust')
  await t.rejects(start(server.url), {
    message: /unencrypted connection of the user 'tracker' to the database 'tracker' .*add \?sslmode=verify-full/
  })
  for (const mode of ['prefer', 'require', 'verify-full']) {
    await t.rejects(start(url(`sslmode=${mode}`)), {
      message: /signed by an authority that is not known here .*add sslrootcert=FILE .* docs\/postgresql.md/
    })
  }
  const warned: Error[] = []
  const note = (warning: Error) => warned.push(warning)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  for (const parameters of [
    `sslmode=verify-full&sslrootcert=${ca}`,
    `sslmode=require&sslrootcert=${ca}`,
    `sslrootcert=${ca}`,
    'sslmode=no-verify'
  ]) {
    await start(url(parameters))
  }
  t.strictSame(
    warned.filter(({ message }) => /SSL/.test(message)),
    [],
    'the driver’s warning about modes'
  )
  await t.rejects(start(url(`sslmode=verify-full&sslrootcert=${ca}`, '127.0.0.1')), {
    message: /certificate of PostgreSQL at 127.0.0.1:\d+ is for another name .* use sslmode=verify-ca/
  })
  await start(url(`sslmode=verify-ca&sslrootcert=${ca}`, '127.0.0.1'))
  await allow('hostssl all other 127.0.0.1/32 trust')
  await t.rejects(start(url('sslmode=no-verify', '127.0.0.1')), {
    message: /takes no connection of the user 'tracker' .*: add a line to its pg_hba.conf/
  })
  await allow('hostssl all tracker 127.0.0.1/32 trust clientcert=verify-full')
  await t.rejects(start(url('sslmode=no-verify', '127.0.0.1')), {
    message: /asks for a certificate of its client: add sslcert=FILE and sslkey=FILE/
  })
  await admin.end()
})

t.test('what the role lacks is named, with who can mend it', { skip }, async t => {
  const { server, admin } = await tlsServer(t)
  const as = (user: string, database = 'tracker') =>
    Object.assign(new URL(server.url), { username: user, pathname: database }).href
  await admin.query('create role guest login')
  await admin.query('revoke connect on database tracker from public')
  await t.rejects(start(as('guest')), {
    message: /The user 'guest' may not connect to the database 'tracker' .*"grant connect on database tracker to guest"/
  })
  await admin.query('grant connect on database tracker to guest')
  await admin.query('create extension vector')
  const rights =
    /may not make or change the tables \(permission denied for schema public\): .*"alter database NAME owner/
  await t.rejects(start(as('guest')), { message: rights })
  await admin.query('grant create on schema public to guest')
  await t.rejects(start(as('guest')), {
    message: /may not make or change the tables \(permission denied for database tracker\)/
  })
  await admin.query('create role first login')
  await admin.query('alter database tracker owner to first')
  await admin.query('reassign owned by guest to first')
  await start(as('first'))
  await t.rejects(start(as('guest')), {
    message: /may not make or change the tables \(permission denied .*"reassign owned by OTHER to USER"/
  })
  await admin.query('alter database tracker owner to guest')
  await admin.query('reassign owned by first to guest')
  await start(as('guest'))
  await admin.query('alter role guest set default_transaction_read_only = on')
  await t.rejects(start(as('guest')), {
    message: /makes transactions of the user 'guest' read-only \(default_transaction_read_only\): turn that off/
  })
  await admin.end()
})

t.test('a database whose encoding is not UTF8 is refused', { skip }, async t => {
  const { server, admin } = await tlsServer(t)
  for (const encoding of ['SQL_ASCII', 'LATIN1']) {
    const name = encoding.toLowerCase()
    const options = `template template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`
    await admin.query(`create database ${name} ${options}`)
    const url = new URL(server.url)
    url.pathname = `/${name}`
    const message = new RegExp(`'${name}' of .* has the encoding ${encoding}, and texts need UTF8`)
    await t.rejects(start(url.href), { message })
  }
  await admin.end()
})

t.test('a standby is refused', { skip }, async t => {
  const { server, admin, data } = await tlsServer(t)
  await start(server.url)
  await admin.query('checkpoint')
  await admin.end()
  await server.kill()
  writeFileSync(join(data, 'standby.signal'), '')
  await server.start()
  await t.rejects(start(server.url), { message: /is a standby, which takes no writes: name the primary/ })
})
