import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import type { TestedPackage } from '../../../lib/packages/install.ts'

interface Manifest {
  version: string
  optionalDependencies: Record<string, string>
}
const readManifest = (path: string | URL): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest

const MANIFEST = new URL('../../../package.json', import.meta.url)

/**
 * The packages that run a model. Of what onnxruntime-node depends on, only onnxruntime-common is loaded: the rest is
 * for its install script, which fetches what graphics cards need.
 */
export function runtimePackages(): TestedPackage[] {
  const versions = readManifest(MANIFEST).optionalDependencies
  const packages = Object.entries({ 'onnxruntime-common': versions['onnxruntime-node']!, ...versions })
  return packages.map(([name, version]) => ({ name, version }))
}

/** From anywhere that the server loads packages from. */
export function isInstalled({ name, version }: TestedPackage): boolean {
  try {
    const manifest = findPackageJSON(name, import.meta.url)
    return manifest !== undefined && readManifest(manifest).version === version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return false
    throw error
  }
}
