import { posix } from 'node:path'

/** The part of package-lock.json that is read here. */
interface Lock {
  packages: Record<string, { version?: string; dependencies?: object; peerDependencies?: object }>
}

const ENTRY = 'node_modules/@opentelemetry/sdk-node'
/** Types are for compilers. */
const IS_TYPES = /^(?:@types\/|undici-types$)/
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** The folder of a dependency, as Node finds it: beside the package, or above. */
function resolve({ packages }: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const path = posix.join(posix.basename(folder) === 'node_modules' ? posix.dirname(folder) : folder, 'node_modules')
    if (packages[`${path}/${name}`]) return `${path}/${name}`
    if (folder === '.') throw new Error(`package-lock.json has no ${name}, which ${from} needs`)
  }
}

/** The module `core/telemetry/packages.ts`: OpenTelemetry's packages with all that they need, as the lock has them. */
export function telemetryPackages(lockFile: string): string {
  const lock = JSON.parse(lockFile) as Lock
  const paths = new Set<string>([ENTRY])
  for (const path of paths) {
    const { dependencies = {}, peerDependencies = {} } = lock.packages[path]!
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      if (!IS_TYPES.test(name)) paths.add(resolve(lock, path, name))
    }
  }
  const lines = [...paths].sort().map(path => {
    const installed = path.slice('node_modules/'.length)
    const where = installed === nameOf(path) ? '' : `, path: '${installed}'`
    return `  { name: '${nameOf(path)}', version: '${lock.packages[path]!.version}'${where} }`
  })
  return [
    "import type { TestedPackage } from '../../lib/packages/install.ts'",
    '',
    '/** The packages that `telemetry install` adds. Generated from package-lock.json: `npm run generate`. */',
    `export const TELEMETRY_PACKAGES: readonly TestedPackage[] = [\n${lines.join(',\n')}\n]`,
    ''
  ].join('\n')
}
