import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface SmallDisk {
  /** Its mount point. */
  readonly dir: string
  resize(mebibytes: number): void
  remove(): void
}

/** A disk in memory; undefined if this user may not mount one. */
export function smallDisk(mebibytes: number): SmallDisk | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'tracker-disk-'))
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir], { stdio: 'ignore' })
  try {
    mount(`size=${mebibytes}m`)
  } catch {
    rmSync(dir, { recursive: true })
    return undefined
  }
  return {
    dir,
    resize: mebibytes => mount(`remount,size=${mebibytes}m`),
    remove() {
      execFileSync('umount', ['--lazy', dir])
      rmSync(dir, { recursive: true })
    }
  }
}
