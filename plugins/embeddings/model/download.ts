import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar'
import { modelIn, nameOf, type ModelFiles } from './files.ts'

interface Source {
  url: string
  sha256?: string | undefined
}

const UNFINISHED = '.unfinished-'
const ABANDONED_AFTER_MS = 24 * 3600_000

/**
 * A model is renamed to `dir/<name>` when it is complete and on the disk: after a failure no part of it is used. @param
 * report called with the received and the total bytes @throws Error that names the problem; a retry starts from the
 * beginning
 */
export async function fetchModel(
  { url, sha256 }: Source,
  dir: string,
  signal: AbortSignal,
  report: (bytes: number, total: number | undefined) => void
): Promise<void> {
  const target = join(dir, nameOf(url))
  if (existsSync(target)) {
    // Another process may have been faster.
    if (await modelIn(target)) return
    throw new Error(`${target} is no whole model: remove it, and it is downloaded anew.`)
  }
  await mkdir(dir, { recursive: true })
  await removeAbandoned(dir)
  const unfinished = join(dir, UNFINISHED + randomUUID())
  try {
    await mkdir(unfinished)
    const archive = join(unfinished, 'archive')
    await fetchFile(url, sha256, archive, signal, report)
    const unpacked = join(unfinished, 'unpacked')
    await mkdir(unpacked)
    await extract({ file: archive, cwd: unpacked, strict: true })
    const model = await findModel(unpacked)
    if (!model) throw new Error(`${url} holds no model that can be used.`)
    for (const name of await readdir(model.dir)) await flush(join(model.dir, name))
    await rename(model.dir, target).catch(async (error: unknown) => {
      if (!(await modelIn(target))) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function fetchFile(
  url: string,
  sha256: string | undefined,
  to: string,
  signal: AbortSignal,
  report: (bytes: number, total: number | undefined) => void
): Promise<void> {
  const response = await fetch(url, { signal })
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}.`)
  const length = response.headers.get('content-encoding') ? null : response.headers.get('content-length')
  const total = length === null ? undefined : Number(length)
  const hashes = { sha256: createHash('sha256'), md5: createHash('md5') }
  let bytes = 0
  await pipeline(
    Readable.fromWeb(response.body),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hashes.sha256.update(chunk)
        hashes.md5.update(chunk)
        report((bytes += chunk.length), total)
        yield chunk
      }
    },
    createWriteStream(to)
  )
  if (total !== undefined && bytes !== total) throw new Error(`${url} sent ${bytes} bytes of ${total}.`)
  // Google Cloud Storage sends it: https://cloud.google.com/storage/docs/xml-api/reference-headers#xgooghash
  const md5 = /md5=([^,\s]+)/.exec(response.headers.get('x-goog-hash') ?? '')?.[1]
  if (md5 !== undefined && hashes.md5.digest('base64') !== md5) {
    throw new Error(`${url} was damaged on the way: its MD5 differs.`)
  }
  const digest = hashes.sha256.digest('hex')
  if (sha256 !== undefined && digest !== sha256.toLowerCase()) {
    throw new Error(`${url} has the SHA-256 ${digest}, not ${sha256}.`)
  }
}

/** In the folder itself, or in a subfolder. */
async function findModel(dir: string): Promise<ModelFiles | undefined> {
  const inside = (await readdir(dir, { withFileTypes: true })).filter(entry => entry.isDirectory())
  for (const candidate of [dir, ...inside.map(({ name }) => join(dir, name))]) {
    const model = await modelIn(candidate)
    if (model) return model
  }
  return undefined
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function removeAbandoned(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.startsWith(UNFINISHED)) continue
    const path = join(dir, name)
    const { mtimeMs } = await stat(path)
    if (mtimeMs < Date.now() - ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true })
  }
}
