/*
 * Dumps the database of a release, so that every later version is tested on it:
 *   TEST_DATABASE_URL=postgres://… node scripts/dump-release.ts REF VERSION
 * installs the release in a temporary folder, creates a small board on its server, and writes
 * test/upgrades/VERSION.embedded.sql and test/upgrades/VERSION.postgres.sql. It needs pg_dump, of the server's version.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase, type EmptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess } from '../test/runner/process.ts'
import { fileBoard } from '../test/upgrades/board.ts'

const run = promisify(execFile)
const MAX_DUMP_BYTES = 32 * 1024 * 1024
/** The packages that dump an embedded database; the release has the others. It must fit PGlite's version. */
const DUMP_TOOLS = '@electric-sql/pglite-tools@0.4.8'
const DUMP_OPTIONS = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges']

/** Runs in the folder of the release, whose PGlite made the database. */
const DUMP_EMBEDDED = `
  import { PGlite } from '@electric-sql/pglite'
  import { vector } from '@electric-sql/pglite-pgvector'
  import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
  import { pgDump } from '@electric-sql/pglite-tools/pg_dump'
  const [dataDir, ...args] = process.argv.slice(1)
  const pg = await PGlite.create({ dataDir: dataDir + '/pgdata', extensions: { vector, pg_trgm } })
  process.stdout.write(await (await pgDump({ pg, args })).text())
  await pg.close()`

/** The SQL of a database with a board that the release created. */
async function dump(release: string, databaseUrl: string | undefined): Promise<string> {
  const database = await emptyDatabase(databaseUrl)
  try {
    await fileBoardOn(release, database.env)
    const { stdout } =
      'DATABASE_URL' in database.env
        ? await run('pg_dump', [...DUMP_OPTIONS, database.env.DATABASE_URL], { maxBuffer: MAX_DUMP_BYTES })
        : await run(
            process.execPath,
            ['--input-type=module', '--eval', DUMP_EMBEDDED, database.env.TRACKER_DATA_DIR, ...DUMP_OPTIONS],
            { cwd: release, maxBuffer: MAX_DUMP_BYTES }
          )
    // These two commands are for psql alone.
    return stdout.replaceAll(/^\\(un)?restrict .*\n/gm, '')
  } finally {
    await database.remove()
  }
}

/** Starts the release on an empty database, creates the board and stops it. */
async function fileBoardOn(release: string, env: EmptyDatabase['env']): Promise<void> {
  const token = newToken()
  const server = await startProcess({ ...env, TRACKER_ADMIN_TOKEN: token }, undefined, release)
  try {
    await fileBoard(async <T>(path: string, body?: object) => {
      const answer = await fetch(server.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) })
      })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as T
    })
  } finally {
    await server.end('SIGTERM')
  }
}

const [ref, version] = process.argv.slice(2)
const databaseUrl = process.env['TEST_DATABASE_URL']
if (ref === undefined || version === undefined || !databaseUrl) {
  throw new Error('Usage: TEST_DATABASE_URL=postgres://… node scripts/dump-release.ts REF VERSION')
}
const release = await mkdtemp(join(tmpdir(), 'tracker-release-'))
try {
  await run('sh', ['-c', `git archive "$0" | tar --extract --directory "$1"`, ref, release])
  await run('npm', ['ci', '--omit=optional', '--no-audit', '--no-fund'], { cwd: release })
  await run('npm', ['install', '--no-save', '--legacy-peer-deps', '--no-audit', '--no-fund', DUMP_TOOLS], {
    cwd: release
  })
  for (const [kind, url] of [
    ['embedded', undefined],
    ['postgres', databaseUrl]
  ] as const) {
    await writeFile(new URL(`../test/upgrades/${version}.${kind}.sql`, import.meta.url), await dump(release, url))
  }
} finally {
  await rm(release, { recursive: true })
}
