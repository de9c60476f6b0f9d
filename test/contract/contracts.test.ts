import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
/** Packages that run in browsers. */
const BROWSER_PACKAGES = ['fastest-levenshtein', 'typebox']

/** The static imports of a file, direct and indirect, without types. */
function importsOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const code = stripTypeScriptTypes(readFileSync(path, 'utf8'))
  for (const [, from] of code.matchAll(/^(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]/gm)) {
    if (from!.startsWith('.')) importsOf(join(dirname(path), from!), seen)
    else seen.add(from!)
  }
  return seen
}

for (const file of ['core/api/contract.ts', ...globSync('plugins/*/contract.ts', { cwd: root })]) {
  t.test(`${file} loads in a browser`, async t => {
    const packages = [...importsOf(join(root, file))].filter(name => !name.startsWith('/'))
    t.strictSame(
      packages.filter(name => !BROWSER_PACKAGES.includes(name)),
      []
    )
  })
}
