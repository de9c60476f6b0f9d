import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { create, extract } from 'tar'

/** A database is mostly repetition: higher levels take three times as long for a tenth less. */
const GZIP_LEVEL = 3

const FLUSHED_TOGETHER = 64

export const UNFINISHED = '.unfinished'

/** True if a file was not moved or linked because its new name is on another disk, or because it cannot be linked. */
export const isOtherDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes(String(error.code))

export type Digests = Record<string, string>

export function assertFree(file: string): void {
  if (existsSync(file)) throw new Error(`There is a file ${file} already: name another one, or remove it.`)
  if (!existsSync(dirname(file))) throw new Error(`There is no folder ${dirname(file)}: make it, or name another one.`)
}

/** Packs a folder. The file has its name only once it is complete and on the disk. */
export async function pack(folder: string, file: string, first: string): Promise<void> {
  const entries = [first, ...(await readdir(folder)).filter(entry => entry !== first)]
  const unfinished = `${file}${UNFINISHED}`
  await rm(unfinished, { force: true })
  try {
    await pipeline(
      create({ cwd: folder, portable: true, maxReadSize: 1024 * 1024 }, entries),
      createGzip({ level: GZIP_LEVEL }),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600 })
    )
    await flush(unfinished)
    await rename(unfinished, file)
    await flush(dirname(file))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

export async function unpack(file: string, folder: string): Promise<void> {
  try {
    await pipeline(
      createReadStream(file),
      createGunzip(),
      extract({ cwd: folder, strict: true, filter: (_, entry) => 'type' in entry && /File|Directory/.test(entry.type) })
    )
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`, { cause: error })
    if (['EACCES', 'ENOSPC', 'EISDIR'].includes(code)) throw error
    throw new Error(`${file} is damaged, or no backup: use another one.`, { cause: error })
  }
}

/** The paths of the files in a folder, relative to it; none where there is no folder, or no longer. */
export async function filesIn(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  const paths: string[] = []
  for (const entry of entries) {
    const path = join(below, entry.name)
    if (entry.isDirectory()) paths.push(...(await filesIn(folder, path)))
    else if (entry.isFile()) paths.push(path)
  }
  return paths
}

export async function digestFiles(folder: string): Promise<Digests> {
  const digests: Digests = {}
  for (const name of await filesIn(folder)) {
    const path = join(folder, name)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
    digests[name] = hash.digest('hex')
  }
  return digests
}

/** Makes a folder for some work, instead of one that a killed process left, and removes it after the work. */
export async function inFolder<T>(folder: string, work: (folder: string) => Promise<T>): Promise<T> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes the files in a folder durable: many at once, which the disk does together. */
export async function flushFiles(folder: string): Promise<void> {
  const names = await filesIn(folder)
  for (let at = 0; at < names.length; at += FLUSHED_TOGETHER) {
    await Promise.all(names.slice(at, at + FLUSHED_TOGETHER).map(name => flush(join(folder, name))))
  }
}

export async function flush(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
