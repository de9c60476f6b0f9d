import { realpathSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleFolder, LIBRARIES, manifestPath, readPackage, type BundleManifest } from '../core/bundled-libraries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')

/** The modules that a library exports, by the names that imports use; deeper ones cannot be imported. */
function exportsOf(library: string): string[] {
  const { exports, dependencies = {} } = readPackage(modules, library)
  const paths = Object.keys(exports).filter(path => !path.endsWith('.json'))
  if (Object.keys(dependencies).length > 0) throw new Error(`${library} needs other libraries: it cannot be bundled.`)
  if (!paths.every(path => /^\.(\/[\w/]+)?$/.test(path))) {
    throw new Error(`${library} exports more than single modules.`)
  }
  return paths.map(path => join(library, path))
}

/** Bundles the libraries as `useBundledLibraries` takes them. What several modules share is a file of its own. */
export async function bundleLibraries(folder = bundleFolder()): Promise<void> {
  // Written beside its place and moved there: whoever starts meanwhile finds all of it or nothing.
  const unfinished = `${folder}.${process.pid}`
  // esbuild finds the modules: this process may be one that has them from a bundle.
  const { metafile } = await build({
    entryPoints: Object.fromEntries(LIBRARIES.flatMap(exportsOf).map(name => [name, name])),
    absWorkingDir: root,
    outdir: unfinished,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Those of Node alone.
    conditions: [],
    keepNames: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning'
  })
  const manifest: BundleManifest = {}
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint === undefined) continue
    manifest[relative(realpathSync(modules), join(root, entryPoint))] = relative(unfinished, join(root, output))
  }
  await writeFile(manifestPath(unfinished), JSON.stringify(manifest))
  await rm(folder, { recursive: true, force: true })
  await rename(unfinished, folder)
}
