import { statfsSync } from 'node:fs'

/** The bytes of a disk that are free for this process. @param dir a folder on it */
export function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}
