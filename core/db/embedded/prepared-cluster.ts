import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { NODE_MODULES, PREPARED } from '../../../lib/packages/node-modules.ts'
import { INITDB_OPTIONS } from './disk-space.ts'

/* `npm install` makes an empty database (two seconds of processor time), of which new ones are copies. */

interface Versioned {
  version: string
}
const LIBRARIES = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector', 'pg-boss']

/** Another version of a library has another file. */
export async function clusterFile(modules = NODE_MODULES): Promise<string> {
  if (PREPARED !== undefined) return join(PREPARED, 'database.tar.gz')
  const hash = createHash('sha256').update(INITDB_OPTIONS.join(' '))
  for (const library of LIBRARIES) {
    const { version } = JSON.parse(await readFile(join(modules, library, 'package.json'), 'utf8')) as Versioned
    hash.update(` ${library} ${version}`)
  }
  return join(modules, '.cache/tracker-database', `${hash.digest('hex').slice(0, 16)}.tar.gz`)
}

/** Undefined: none was prepared. @throws Error that says what to do, when the file is damaged */
export async function readCluster(file?: string): Promise<Blob | undefined> {
  const path = file ?? (await clusterFile())
  const packed = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (packed === undefined) return undefined
  try {
    // gzip verifies the checksum.
    return new Blob([await promisify(gunzip)(packed)])
  } catch (error) {
    throw new Error(
      `The empty database that was prepared is damaged: delete ${path} and start again, or run npm install.`,
      { cause: error }
    )
  }
}

/** Makes it unless an undamaged one exists. @param make returns it, packed with gzip. @returns true if it was made */
export async function prepareCluster(file?: string, make = makeCluster): Promise<boolean> {
  const path = file ?? (await clusterFile())
  const prepared = await readCluster(path).catch(() => undefined)
  if (prepared !== undefined) return false
  await mkdir(dirname(path), { recursive: true })
  // Renamed when complete: a process that starts meanwhile finds all of it or nothing.
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, (await make()).stream())
  await rename(unfinished, path)
  return true
}

async function makeCluster(): Promise<Blob> {
  const [{ PGlite }, { embeddedExtensions }, { getConstructionPlans }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('./embedded-extensions.ts'),
    import('pg-boss')
  ])
  const database = await PGlite.create({ initDbStartParams: INITDB_OPTIONS, extensions: embeddedExtensions })
  try {
    for (const name of Object.keys(embeddedExtensions)) await database.exec(`create extension ${name}`)
    await database.exec(getConstructionPlans())
    await database.exec('checkpoint')
    return await database.dumpDataDir('gzip')
  } finally {
    await database.close()
  }
}
