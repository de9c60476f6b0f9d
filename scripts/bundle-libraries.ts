import { readFileSync, realpathSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'
import {
  bundleFolder,
  COMMONJS_LIBRARIES,
  LIBRARIES,
  manifestPath,
  type BundleManifest
} from '../core/start/bundled-libraries.ts'
import { NODE_MODULES } from '../lib/packages/node-modules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = NODE_MODULES
const require = createRequire(import.meta.url)
const quote = (text: string) => JSON.stringify(text)
/** The name of a module of a library in the manifest. @param input its path, relative to the project */
const nameOf = (input: string) => relative(realpathSync(modules), realpathSync(join(root, input)))

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  // Node's own modules only.
  conditions: [],
  keepNames: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning'
} as const satisfies BuildOptions

/** The fields of a library's `package.json` that are used. */
interface LibraryPackage {
  exports?: Record<string, unknown>
}

/** The modules that a library exports, by the names that imports use. */
function exportsOf(library: string): string[] {
  const text = readFileSync(join(modules, library, 'package.json'), 'utf8')
  const { exports = {} } = JSON.parse(text) as LibraryPackage
  const paths = Object.keys(exports).filter(path => path.startsWith('.') && !path.endsWith('.json'))
  if (!paths.every(path => /^\.(\/[\w/]+)?$/.test(path))) {
    throw new Error(`${library} exports more than single modules.`)
  }
  // Otherwise they are conditions, or there is a main module only.
  return paths.length === 0 ? [library] : paths.map(path => join(library, path))
}

/** Bundles a library with what is installed in its own folder; what others may import, too, is left to Node. */
const ownModules: Plugin = {
  name: 'own-modules',
  setup(bundling) {
    bundling.onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === ownModules) return undefined
      const resolved = await bundling.resolve(path, { ...from, pluginData: ownModules })
      const isOwn = LIBRARIES.some(library => resolved.path.startsWith(join(modules, library, '/')))
      return isOwn ? resolved : { path, external: true }
    })
  }
}

interface Bundled {
  manifest: BundleManifest
  /** The bundled files, as paths relative to node_modules. */
  files: string[]
}

/** Bundles the libraries of ES modules: a file for each that can be imported, and those of what several share. */
async function bundleModules(folder: string): Promise<Bundled> {
  const { metafile } = await build({
    ...options,
    entryPoints: Object.fromEntries(LIBRARIES.flatMap(exportsOf).map(name => [name, name])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    plugins: [ownModules],
    splitting: true,
    format: 'esm'
  })
  const manifest: BundleManifest = {}
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint !== undefined) manifest[nameOf(entryPoint)] = relative(folder, join(root, output))
  }
  return { manifest, files: Object.keys(metafile.inputs).map(nameOf) }
}

/** The name in esbuild of the module that requires all others. */
const ENTRY = '<stdin>'
/** Code that depends on the path of its module, which is different in a bundle. */
const PLACE = /\b(?:__dirname|__filename|createRequire|require\.(?:cache|main|resolve)|module\.parent)\b/

/**
 * Bundles the libraries of CommonJS modules into one file, and adds one for each module, which takes it from there:
 * requiring any of them gives the one of the bundle, which runs when it is first required, as usual.
 */
async function bundleCommonJs(folder: string): Promise<Bundled> {
  const bundle = join(folder, 'commonjs.cjs')
  const { inputs } = await bundleRequired(COMMONJS_LIBRARIES, bundle, false)
  const paths = Object.keys(inputs)
    .filter(input => input !== ENTRY && inputs[input]?.format === 'cjs')
    .map(nameOf)
    .sort()
  const moved = paths.find(path => PLACE.test(readFileSync(join(modules, path), 'utf8')))
  if (moved !== undefined) throw new Error(`${moved} depends on the place of its file: it cannot be bundled.`)
  const names = new Map(paths.map(path => [path, `./${path}`]))
  const bundled = await bundleRequired([...names.values()], bundle, true)
  const manifest: BundleManifest = {}
  for (const [path, name] of names) {
    const standIn = (manifest[path] = join('commonjs', `${path}.cjs`))
    const from = relative(dirname(standIn), 'commonjs.cjs')
    await mkdir(dirname(join(folder, standIn)), { recursive: true })
    await writeFile(
      join(folder, standIn),
      `module.exports = require(${quote(from)})[${quote(name)}]()\n` +
        // Never run: Node reads here what an ES module can import by name.
        `if (false) { ${exportedNames(path)
          .map(exported => `exports[${quote(exported)}] = 0`)
          .join('; ')} }\n`
    )
  }
  const files = Object.keys(bundled.inputs).filter(input => input !== ENTRY)
  return { manifest, files: files.map(nameOf) }
}

/** A file whose exports are functions that each require one of these modules. */
async function bundleRequired(names: readonly string[], outfile: string, write: boolean): Promise<Metafile> {
  const contents = names.map(name => `exports[${quote(name)}] = () => require(${quote(name)})`).join('\n')
  const stdin = { contents, resolveDir: modules }
  return (await build({ ...options, stdin, outfile, write, format: 'cjs' })).metafile
}

function exportedNames(path: string): string[] {
  const exported = require(join(modules, path)) as object
  // A mark, which is not enumerable.
  return [...Object.keys(exported), ...('__esModule' in exported ? ['__esModule'] : [])]
}

/**
 * Bundles the libraries as `useBundledLibraries` takes them.
 * @returns the bundled files, as paths relative to node_modules
 */
export async function bundleLibraries(folder = bundleFolder()): Promise<string[]> {
  // Written to a temporary path and renamed: a process that starts meanwhile finds all of it or nothing.
  const unfinished = `${folder}.${process.pid}`
  try {
    const bundles = [await bundleModules(unfinished), await bundleCommonJs(unfinished)]
    const manifest: BundleManifest = Object.assign({}, ...bundles.map(({ manifest }) => manifest))
    await writeFile(manifestPath(unfinished), JSON.stringify(manifest))
    await rm(folder, { recursive: true, force: true })
    await rename(unfinished, folder)
    return bundles.flatMap(({ files }) => files)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}
