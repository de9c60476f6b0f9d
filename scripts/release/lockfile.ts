import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockedPackage {
  version: string
  license?: string
  dev?: boolean
  optional?: boolean
}

/**
 * The packages of a lock file, by their paths from the project.
 * @param file package-lock.json, or npm's record of what is installed
 */
export const readLock = (folder: string, file = 'package-lock.json'): Record<string, LockedPackage> =>
  (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { packages: Record<string, LockedPackage> }).packages
