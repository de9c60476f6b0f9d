import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const isGenerated = (path: string): boolean => /[/\\](?:dist|node_modules)$/.test(path)

/** A folder with these files and folders of the project, and its libraries; removed when the test ends. */
export function copyCheckout(t: Test, paths: readonly string[]): string {
  const copy = temporaryFolder(t)
  for (const path of paths) {
    cpSync(join(root, path), join(copy, path), { recursive: true, filter: from => !isGenerated(from) })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
