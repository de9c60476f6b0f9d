import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Prints the test files that the kind of database can matter to: those that import, themselves or through others, a
 * file that looks for a PostgreSQL server to test on. All others are the same whatever there is. Paths are relative to
 * the project's folder.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
/** The environment variable that names the server. */
const VARIABLE = 'TEST_DATABASE_URL'

function usesDatabase(path: string, seen = new Set<string>()): boolean {
  // What is not there stands in the text of a script, not among the imports.
  if (seen.has(path) || !existsSync(path)) return false
  seen.add(path)
  const source = readFileSync(path, 'utf8')
  if (source.includes(VARIABLE)) return true
  return importsOf(source).some(imported => usesDatabase(join(dirname(path), imported), seen))
}

/** The paths of the project's own modules that a source imports, statically or not. */
const importsOf = (source: string): string[] =>
  [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g)].map(([, path]) => path!)

const tests = globSync('{core,plugins,examples,test}/**/*.test.ts', { cwd: root }).sort()
console.log(tests.filter(path => usesDatabase(join(root, path))).join('\n'))
