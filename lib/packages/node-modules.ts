import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const LIBRARY = 'fastify'

/**
 * The folder `node_modules` with the libraries of this project: beside the sources, above what is built of them
 * (`dist`), or around the project where it is itself installed as a package.
 */
export const NODE_MODULES: string = findModules()

const prepared = join(dirname(NODE_MODULES), 'prepared')
/**
 * The folder of a release (`scripts/release`) with what a checkout makes when it is installed or first used: the empty
 * database and the web interface. Undefined in a checkout.
 */
export const PREPARED: string | undefined = existsSync(prepared) ? prepared : undefined

function findModules(): string {
  const folders = createRequire(import.meta.url).resolve.paths(LIBRARY) ?? []
  const modules = folders.find(folder => existsSync(join(folder, LIBRARY)))
  if (modules === undefined) throw new Error('The libraries of tracker are not installed: run npm install.')
  return modules
}
