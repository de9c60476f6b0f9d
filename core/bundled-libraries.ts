import { readFileSync, realpathSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/*
 * Some libraries are hundreds of small modules, and to find, read and link one takes a third of a millisecond. So
 * `npm install` bundles these libraries (`scripts/bundle-libraries.ts`), and `preload.cjs` has them loaded from there.
 * Without a bundle of what is installed they are loaded as they are.
 */

/** Libraries that need no others. */
export const LIBRARIES = ['kysely', 'typebox', 'uuid'] as const

const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url))
const MANIFEST = 'manifest.json'

/** What a library's `package.json` says of it. */
export interface LibraryPackage {
  version: string
  exports: Record<string, unknown>
  dependencies?: object
}
export const readPackage = (modules: string, library: string): LibraryPackage =>
  JSON.parse(readFileSync(join(modules, library, 'package.json'), 'utf8')) as LibraryPackage

/** The folder of the bundle of the installed versions: others have another one. */
export function bundleFolder(modules = MODULES): string {
  const versions = LIBRARIES.map(library => `${library}-${readPackage(modules, library).version}`)
  return join(modules, '.cache/tracker-libraries', versions.join('_'))
}

/** The file of the bundle that stands for a module of a library; both relative: to the folder and to node_modules. */
export type BundleManifest = Record<string, string>
export const manifestPath = (folder: string): string => join(folder, MANIFEST)

/**
 * From now on the modules of the libraries are loaded from their bundle, whoever imports or requires them: each is
 * there once, as without it. Which module is meant is found as ever; another copy of a library stays another one.
 * @returns whether there is a bundle
 * @throws Error that says what to do, when it is damaged
 */
export function useBundledLibraries(folder?: string): boolean {
  const bundled = readBundle(folder)
  if (bundled === undefined) return false
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const url = bundled.get(found.url)
      return url === undefined ? found : { ...found, url, format: 'module' }
    }
  })
  return true
}

/** The URLs of the bundle's files, by those of the modules that they stand for; undefined: there is no bundle. */
function readBundle(folder: string | undefined): Map<string, string> | undefined {
  let from = folder
  try {
    const modules = realpathSync(MODULES)
    const folderOfBundle = (from ??= bundleFolder(modules))
    const manifest = JSON.parse(readFileSync(manifestPath(from), 'utf8')) as BundleManifest
    const urlOf = (...path: string[]) => pathToFileURL(join(...path)).href
    return new Map(Object.entries(manifest).map(([path, file]) => [urlOf(modules, path), urlOf(folderOfBundle, file)]))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`The bundled libraries in ${from} are damaged: delete that folder, or run npm install.`, {
      cause: error
    })
  }
}
