import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_MODULES, PREPARED } from '../../lib/packages/node-modules.ts'
import { encodeAsset, typeOf, type Asset } from './assets.ts'
import { readCache, readPrepared, writeCache } from './cache.ts'
import { digest, root } from './files.ts'
import { librariesOf, licensesOf } from './licenses.ts'
import type { EntryPoints } from './page.ts'

/** The name of each asset contains a digest of its content. */
interface Bundle {
  assets: Map<string, Asset>
  entry: EntryPoints
  isCached: boolean
}
export interface Part {
  name: string
  entry: URL
}

const shell = fileURLToPath(new URL('./browser/main.tsx', import.meta.url))
const OUT = join(root, 'out/ui')
const BUILDER = ['./bundle.ts', './assets.ts', './licenses.ts']

/** @throws Error when esbuild is not installed, a file does not compile, or a release lacks a part */
export async function makeBundle(parts: readonly Part[], cacheDir: string): Promise<Bundle> {
  const names = parts.map(nameOfPart)
  if (PREPARED !== undefined) {
    return { ...(await readPrepared(join(PREPARED, 'interface'), names)), isCached: true }
  }
  // This file lists what is in node_modules, whose thousands of files need not be read.
  const libraries = await readFile(join(NODE_MODULES, '.package-lock.json')).catch(() =>
    readFile(join(root, 'package-lock.json'))
  )
  const builder = await Promise.all(BUILDER.map(file => readFile(new URL(file, import.meta.url))))
  const folder = join(cacheDir, digest(libraries, ...builder, ...names))
  const cached = await readCache(folder)
  if (cached) return { ...cached, isCached: true }
  const built = await build(parts)
  // A folder that cannot be written: the interface is built again at the next start.
  await writeCache(folder, { ...built, parts: names }).catch(() => undefined)
  return { assets: built.assets, entry: built.entry, isCached: false }
}

const nameOfPart = ({ name, entry }: Part) => `${name} ${relative(root, fileURLToPath(entry)).replace(/\.\w+$/, '')}`

const entryModule = (parts: readonly Part[]): string =>
  [
    `import { start } from ${JSON.stringify(shell)}`,
    ...parts.map(({ entry }, at) => `import part${at} from ${JSON.stringify(fileURLToPath(entry))}`),
    `start([${parts.map(({ name }, at) => `[${JSON.stringify(name)}, part${at}]`).join(', ')}])`
  ].join('\n')

async function build(parts: readonly Part[]) {
  // Loaded only for a build, so that a start with a cache is not slowed down.
  const esbuild = await import('esbuild').catch(() => {
    throw new Error('esbuild is not installed: run npm install, or set plugins.ui.enabled to false.')
  })
  try {
    const { outputFiles, metafile } = await esbuild.build({
      stdin: { contents: entryModule(parts), resolveDir: root, sourcefile: 'entry.ts', loader: 'ts' },
      absWorkingDir: root,
      outdir: OUT,
      bundle: true,
      splitting: true,
      format: 'esm',
      target: ['chrome123', 'firefox120', 'safari17.5'],
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      alias: {
        // The browser needs only the schema of prosemirror-markdown, not its parser with a second markdown-it.
        'prosemirror-markdown': join(NODE_MODULES, 'prosemirror-markdown/src/schema.ts'),
        entities: fileURLToPath(new URL('./browser/editor/prose/entities.ts', import.meta.url))
      },
      loader: { '.woff2': 'file' },
      entryNames: 'app-[hash]',
      chunkNames: 'c-[hash]',
      assetNames: '[name]-[hash]',
      minify: true,
      legalComments: 'none', // a separate asset has the licences
      metafile: true,
      write: false,
      tsconfigRaw: {},
      logLevel: 'silent'
    })
    const inputs = Object.keys(metafile.inputs)
    const libraries = await librariesOf(inputs)
    const licenses = Buffer.from(licensesOf(libraries))
    const files = [
      ...outputFiles.map(({ path, contents }) => ({ name: relative(OUT, path), bytes: Buffer.from(contents) })),
      { name: `licenses-${digest(licenses)}.txt`, bytes: licenses }
    ]
    const entry = entryPointsOf(
      files.map(({ name }) => name),
      metafile
    )
    // The entry's stylesheet contains those of all lazy chunks, which are never requested.
    const served = files.filter(({ name }) => !name.endsWith('.css') || name === entry.style)
    const assets = await Promise.all(
      served.map(async ({ name, bytes }) => [name, await encodeAsset(typeOf(name), bytes)] as const)
    )
    return { assets: new Map(assets), entry, libraries, inputs: await ownInputs(inputs) }
  } finally {
    await esbuild.stop()
  }
}

interface Metafile {
  outputs: Record<string, { imports: Array<{ path: string; kind: string }> }>
}
function entryPointsOf(names: readonly string[], { outputs }: Metafile): EntryPoints {
  const first = (beginning: string, extension: string): string => {
    const name = names.find(name => name.startsWith(beginning) && name.endsWith(extension))
    if (name === undefined) throw new Error(`The build made no ${beginning}…${extension}.`)
    return name
  }
  const script = first('app-', '.js')
  const output = Object.entries(outputs).find(([name]) => name.endsWith(script))?.[1]
  return {
    script,
    style: first('app-', '.css'),
    licenses: first('licenses-', '.txt'),
    preloads: (output?.imports ?? [])
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => path.split('/').at(-1)!),
    font: names.find(name => name.startsWith('inter-latin-wght') && name.endsWith('.woff2'))
  }
}

async function ownInputs(files: readonly string[]): Promise<Record<string, string>> {
  const own = files.filter(file => !file.includes('node_modules/') && file !== 'entry.ts')
  const digests = await Promise.all(own.map(async file => [file, digest(await readFile(join(root, file)))] as const))
  return Object.fromEntries(digests)
}
