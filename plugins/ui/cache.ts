import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { typeOf, type Asset } from './assets.ts'
import { digest, root } from './files.ts'
import type { EntryPoints } from './page.ts'

interface Cached {
  assets: Map<string, Asset>
  entry: EntryPoints
}
interface Manifest {
  inputs: Record<string, string>
  parts: string[]
  /** The libraries in it, which a release names. */
  libraries: Array<{ name: string; version: string }>
  entry: EntryPoints
  assets: string[]
}
const MANIFEST = 'manifest.json'

/** @returns undefined when there is none, or its inputs differ */
export async function readCache(folder: string): Promise<Cached | undefined> {
  try {
    const manifest = await readManifest(folder)
    const isSame = async ([file, expected]: [string, string]) => digest(await readFile(join(root, file))) === expected
    if ((await Promise.all(Object.entries(manifest.inputs).map(isSame))).includes(false)) return undefined
    return await readAssets(folder, manifest)
  } catch {
    return undefined
  }
}

/** @throws Error when a part is not in it */
export async function readPrepared(folder: string, parts: readonly string[]): Promise<Cached> {
  const manifest = await readManifest(folder)
  const missing = parts.find(part => !manifest.parts.includes(part))
  if (missing === undefined) return readAssets(folder, manifest)
  const [name] = missing.split(' ')
  throw new Error(
    `The interface of a release has the parts of its own plugins, and not that of ${name}: run tracker from a ` +
      `checkout, or set plugins.${name}.enabled to false.`
  )
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest

async function readAssets(folder: string, { entry, assets }: Manifest): Promise<Cached> {
  const read = async (name: string): Promise<Asset> => ({
    type: typeOf(name),
    identity: await readFile(join(folder, name)),
    br: await readFile(join(folder, `${name}.br`)).catch(() => null),
    gzip: await readFile(join(folder, `${name}.gz`)).catch(() => null)
  })
  return { entry, assets: new Map(await Promise.all(assets.map(async name => [name, await read(name)] as const))) }
}

/** Written to a temporary path and renamed: concurrent processes find all of it or nothing. */
export async function writeCache(
  folder: string,
  { assets, entry, parts, libraries, inputs }: Cached & Pick<Manifest, 'parts' | 'libraries' | 'inputs'>
): Promise<void> {
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  for (const [name, { identity, br, gzip }] of assets) {
    await writeFile(join(unfinished, name), identity)
    if (br) await writeFile(join(unfinished, `${name}.br`), br)
    if (gzip) await writeFile(join(unfinished, `${name}.gz`), gzip)
  }
  const manifest: Manifest = {
    inputs,
    parts,
    libraries: libraries.map(({ name, version }) => ({ name, version })),
    entry,
    assets: [...assets.keys()]
  }
  await writeFile(join(unfinished, MANIFEST), JSON.stringify(manifest))
  await rm(folder, { recursive: true, force: true })
  await rename(unfinished, folder)
}
