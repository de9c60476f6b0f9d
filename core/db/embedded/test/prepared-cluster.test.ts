import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { embeddedPool } from '../embedded-pool.ts'
import { openEmbedded, type EmbeddedDatabaseOptions } from '../embedded.ts'
import { clusterFile, prepareCluster, readCluster } from '../prepared-cluster.ts'

/** Opens a new database, and reads the size of a file of its write-ahead log. */
async function walSegmentSize(options: EmbeddedDatabaseOptions): Promise<string | undefined> {
  const { pool, close } = embeddedPool(await openEmbedded(options), undefined, {})
  try {
    const { rows } = await pool.query<{ size: string }>(`select current_setting('wal_segment_size') as size`)
    return rows[0]?.size
  } finally {
    await pool.end()
    await close()
  }
}
/** Stands for a database, where none is opened. */
const fake = async () => new Blob([gzipSync('a database')])

t.test('a new database begins as a copy of the one that was prepared', async t => {
  const preparedCluster = join(t.testdir(), 'made/cluster.tar.gz')
  t.equal(await prepareCluster(preparedCluster), true)
  const dataDir = t.testdir()
  t.equal(await walSegmentSize({ dataDir, preparedCluster }), '1MB')
  t.equal(await walSegmentSize({ dataDir, preparedCluster }), '1MB', 'opened again')
})

t.test('a new database is made where none was prepared', async t => {
  const dataDir = t.testdir()
  const preparedCluster = join(dataDir, 'there is none')
  t.equal(await walSegmentSize({ dataDir: join(dataDir, 'data'), preparedCluster }), '1MB')
})

t.test('an empty database is prepared once', async t => {
  const file = join(t.testdir(), 'cluster.tar.gz')
  t.equal(await prepareCluster(file, fake), true)
  t.equal(await prepareCluster(file, () => Promise.reject(new Error('it is made again'))), false)
})

t.test('a prepared database that is damaged is refused with what to do, and prepared again', async t => {
  const dir = t.testdir()
  const preparedCluster = join(dir, 'cluster.tar.gz')
  await prepareCluster(preparedCluster, fake)
  await truncate(preparedCluster, 20)
  await t.rejects(openEmbedded({ dataDir: join(dir, 'data'), preparedCluster }), {
    message: /prepared is damaged: delete .*cluster\.tar\.gz and start again, or run npm install\./
  })
  t.equal(await prepareCluster(preparedCluster, fake), true)
  t.equal(await (await readCluster(preparedCluster))?.text(), 'a database')
})

t.test('a prepared database of another version of PGlite, pgvector or pg-boss is not used', async t => {
  const libraries = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector', 'pg-boss']
  const modules = t.testdir()
  const install = async (library: string, version: string) => {
    await mkdir(join(modules, library), { recursive: true })
    await writeFile(join(modules, library, 'package.json'), JSON.stringify({ version }))
  }
  for (const library of libraries) await install(library, '1.0.0')
  const files = new Set([await clusterFile(modules)])
  for (const library of libraries) {
    await install(library, '1.0.1')
    files.add(await clusterFile(modules))
  }
  t.equal(files.size, 4)
})
