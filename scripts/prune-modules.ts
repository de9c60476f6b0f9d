/*
 * Removes unused files from node_modules before the image copies them:
 *   node scripts/prune-modules.ts [node_modules]
 * Source maps and type declarations; onnxruntime's libraries for other platforms, and its second copy of the library
 * for this one; the builds of gpt-tokenizer that nothing imports.
 */
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

const NEVER_LOADED = ['**/*.map', '**/*.d.ts', '**/*.d.mts', '**/*.d.cts', 'gpt-tokenizer/{cjs,src,data}']

/** The binding links to the library's soname, `libonnxruntime.so.1`; npm made a copy instead of a symbolic link. */
const RUNTIME_COPIES = 'onnxruntime-node/bin/**/libonnxruntime.so.*.*.*'

/** @returns the paths to remove, relative to `modules` */
function findUnused(modules: string, platform: string, arch: string): string[] {
  const otherPlatforms = globSync('onnxruntime-node/bin/*/*/*', { cwd: modules }).filter(
    path => !path.endsWith(join(platform, arch))
  )
  return [...otherPlatforms, ...globSync([RUNTIME_COPIES, ...NEVER_LOADED], { cwd: modules })]
}

const modules = process.argv[2] ?? 'node_modules'
const unused = findUnused(modules, process.platform, process.arch)
for (const path of unused) await rm(join(modules, path), { recursive: true, force: true })
process.stdout.write(`Removed ${unused.length} files and folders from ${modules}.\n`)
