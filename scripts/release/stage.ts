import { execFile } from 'node:child_process'
import { globSync, readdirSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clusterFile, prepareCluster } from '../../core/db/embedded/prepared-cluster.ts'
import { installed } from '../../plugins/index.ts'
import { DOCUMENTATION_LIBRARY } from './licences.ts'
import { copyModules } from './modules.ts'

const run = promisify(execFile)

/** Output of `npm run build` that only checkouts need, and the sources of the web interface. */
const NOT_SERVED = ['scripts', 'plugins/*/ui', 'plugins/ui/browser']

interface Manifest {
  name: string
  version: string
  description: string
  license: string
  private: boolean
  type: string
  engines: object
  exports: Record<string, string | { types: string; default: string }>
  scripts: { start: string; tracker: string }
  optionalDependencies: Record<string, string>
}

/**
 * Makes the folder that is packed: `server/` with the built server, its modules and what is prepared for it, the
 * command in `bin/`, and a package.json without dependencies: npm then installs what was tested, and asks no registry.
 * @returns the packages in it, as paths from the project
 */
export async function stage(project: string, staged: string): Promise<string[]> {
  const server = join(staged, 'server')
  await run('node', ['scripts/build.ts', server], { cwd: project })
  await run('tsc', ['-p', 'tsconfig.build.json', '--outDir', server], { cwd: project })
  await rm(join(server, 'LICENSE'))
  await nameCommands(server)
  await buildInterface(server)
  await buildDocumentation(project, server)
  for (const path of globSync(NOT_SERVED, { cwd: server })) await rm(join(server, path), { recursive: true })
  const packages = await copyModules(project, server)
  await prepareCluster()
  await cp(await clusterFile(), join(server, 'prepared/database.tar.gz'))
  await writeManifests(project, staged)
  for (const file of ['LICENSE', 'CHANGELOG.md']) await cp(join(project, file), join(staged, file))
  return [...packages, DOCUMENTATION_LIBRARY]
}

/** The commands of a checkout in texts, and their replacements in a release. */
const COMMANDS: ReadonlyArray<readonly [RegExp, string]> = [
  [/npm run (?:-s )?tracker -- /g, 'tracker '],
  [/\brun npm run docs in the folder of tracker\b/g, 'install the release again'],
  // Not that of a plugin's package, or for the scripts of a checkout.
  [/\brun npm install\b(?! \$| without)/g, 'install the release again']
]
async function nameCommands(server: string): Promise<void> {
  for (const file of globSync('{core,lib,plugins}/**/*.{js,cjs,md,txt}', { cwd: server })) {
    const text = await readFile(join(server, file), 'utf8')
    const renamed = COMMANDS.reduce((renamed, [command, name]) => renamed.replace(command, name), text)
    if (renamed !== text) await writeFile(join(server, file), renamed)
  }
}

/** The interface with the parts of all plugins: of the built server, whose texts are those of a release. */
async function buildInterface(server: string): Promise<void> {
  const prepared = join(server, 'prepared')
  const cacheDir = join(prepared, 'cache')
  const plugins = Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: true }]))
  await mkdir(prepared)
  const config = join(prepared, 'config.json')
  await writeFile(config, JSON.stringify({ plugins: { ...plugins, ui: { enabled: true, cacheDir } } }))
  await run('node', ['--require', './core/start/preload.cjs', 'core/cli.js', 'build-ui'], {
    cwd: server,
    env: { PATH: process.env['PATH'], TRACKER_CONFIG: config }
  })
  await rename(join(cacheDir, readdirSync(cacheDir)[0]!), join(prepared, 'interface'))
  await rm(cacheDir, { recursive: true })
  await rm(config)
}

/** The site that the plugin `help` serves. A compressed file has no plain form beside it, which saves 2 MB. */
async function buildDocumentation(project: string, server: string): Promise<void> {
  const folder = join(server, 'prepared/help')
  await run('node', ['scripts/docs/index.ts', folder], { cwd: project })
  for (const path of globSync('**/*.br', { cwd: folder })) await rm(join(folder, path.slice(0, -'.br'.length)))
}

async function writeManifests(project: string, staged: string): Promise<void> {
  const { scripts } = await readManifest(project)
  const { exports, optionalDependencies, ...built } = await readManifest(join(staged, 'server'))
  const { name, version, description, license, private: isPrivate, type, engines } = built
  const shared = { name, version, description, license, private: isPrivate, type, engines }
  const write = (folder: string, manifest: object) =>
    writeFile(join(staged, folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await write('server', { ...shared, exports, optionalDependencies })
  await write('.', { ...shared, bin: { tracker: 'bin/tracker' }, exports: movedExports(exports) })

  const command = (script: string) =>
    script.replaceAll(/(?:\.\/)?(core\/\S+)/g, '"$server/$1"').replaceAll(/\.ts"/g, '.js"') + ' "$@"'
  await mkdir(join(staged, 'bin'))
  await writeFile(
    join(staged, 'bin/tracker'),
    [
      '#!/bin/sh',
      '# tracker start: the server. tracker COMMAND: a command for administrators.',
      'server=$(dirname "$(readlink -f "$0")")/../server',
      'if [ "$1" = start ] && [ $# = 1 ]; then',
      `  shift; ${command(scripts.start)}`,
      'fi',
      command(scripts.tracker),
      ''
    ].join('\n')
  )
  await chmod(join(staged, 'bin/tracker'), 0o755)
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest

const movedExports = (exports: Manifest['exports']) => {
  const moved = (path: string) => path.replace('./', './server/')
  return Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [
      name,
      name === './package.json' || typeof value === 'string'
        ? value
        : { types: moved(value.types), default: moved(value.default) }
    ])
  )
}
