import { readFileSync } from 'node:fs'
import { Type, type Static, type TObject } from 'typebox'
import { problemOfDatabaseUrl } from '../db/database-url.ts'
import { coreSettings } from './core-settings.ts'
import { propertiesAt, readEnvironment, variableOf, type Environment } from './environment.ts'
import { resolve } from './resolve.ts'
import { originOf, variableAt, withOrigins, type Sources } from './sources.ts'
import { nearestName } from '../naming/names.ts'
import { isLoopback } from '../auth/loopback.ts'
import type { Plugin } from '../api/plugin.ts'
import { explain, StartError } from './start-error.ts'
import { isTree, merge, type Tree } from './tree.ts'
import { problemsOf } from '../http/validation.ts'

type CoreSettings = Static<typeof coreSettings>
export interface Settings extends CoreSettings {
  plugins: Record<string, { enabled: boolean } & Record<string, unknown>>
}

/** Where a plugin comes from that is not one of tracker's own. */
export const fromSetting = Type.String({
  minLength: 1,
  description:
    'The package of a plugin that is not part of tracker: its name, or a path. ' +
    '[Plugins from packages](plugin-packages.md).'
})

/** A plugin's settings and `enabled`; of a package's plugin `from`, too. */
function pluginSettings(plugin: Plugin, isFromPackage: boolean): TObject {
  return Type.Object(
    {
      enabled: Type.Boolean({ default: false, description: plugin.spec.summary }),
      ...plugin.dependencies.settings.properties,
      ...(isFromPackage && { from: fromSetting })
    },
    { additionalProperties: false }
  )
}

/**
 * The schema of the configuration. Of plugins that are off, only `enabled` is known: they are not loaded.
 * @param ofPackages names of the plugins that are not tracker's own
 */
export function settingsSchema(
  plugins: readonly Plugin[],
  off: readonly string[] = [],
  ofPackages: readonly string[] = []
): TObject {
  return Type.Object(
    {
      ...coreSettings.properties,
      plugins: Type.Object(
        {
          ...Object.fromEntries(
            plugins.map(plugin => [plugin.name, pluginSettings(plugin, ofPackages.includes(plugin.name))])
          ),
          ...Object.fromEntries(off.map(name => [name, Type.Object({ enabled: Type.Boolean({ default: false }) })]))
        },
        { additionalProperties: false }
      )
    },
    { additionalProperties: false }
  )
}

function readJson(path: string | URL): Tree {
  let tree: unknown
  try {
    // Editors of Windows write a byte order mark, which JSON.parse refuses.
    tree = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new StartError([`the configuration file ${path} cannot be read: ${(error as Error).message}`])
  }
  if (!isTree(tree)) throw new StartError([`the configuration file ${path} must hold a JSON object`])
  return tree
}

/** Problems of database URLs that match the pattern, but that pg cannot parse. */
function problemsOfUrls(settings: Tree): string[] {
  return ['databaseUrl', 'databaseDirectUrl'].flatMap(name => {
    const url = settings[name]
    if (typeof url !== 'string' || !url.startsWith('postgres')) return []
    const problem = problemOfDatabaseUrl(url)
    return problem === undefined ? [] : [`${name} ${problem}`]
  })
}

/** With PostgreSQL, a folder for backups is refused, because the user would rely on backups that nobody makes. */
const problemsOfBackups = ({ backupFolder, databaseUrl }: Tree): string[] =>
  backupFolder === undefined || databaseUrl === undefined
    ? []
    : ['backupFolder is for the embedded database, and databaseUrl is set: save PostgreSQL with pg_dump, by a schedule']

/** A server that others can reach must not trust the host that requests name. */
function problemsOfPublicUrl({ host, publicUrl }: Tree, plugins: readonly Plugin[]): string[] {
  if (publicUrl !== undefined || typeof host !== 'string' || isLoopback(host)) return []
  return plugins
    .filter(({ spec }) => spec.needsPublicUrl)
    .map(({ name }) => `publicUrl must be set (TRACKER_PUBLIC_URL): ${name} needs it where host is ${host}`)
}

/**
 * A problem of a setting, as a sentence with the variable or file that it is in, and the setting that was probably
 * meant.
 * @param problem begins with the path of the setting
 */
function explainProblem(problem: string, sources: Sources, schema: TObject): string {
  const [path = ''] = problem.split(/:? /, 1)
  const keys = path.split('.')
  const isNoSetting = problem === `${path} is not a setting`
  const origin = originOf(path, sources)
  const explained = origin === undefined ? problem : problem.replace(path, `${path} (${origin})`)
  if (!isNoSetting) return explained
  const parent = keys.slice(0, -1)
  const meant = nearestName(keys.at(-1)!, Object.keys(propertiesAt(schema, parent) ?? {}))
  const right = meant === undefined ? settingOfOtherPlugin(keys, schema) : [...parent, meant]
  if (right === undefined) return explained
  const isVariable = variableAt(path, sources) !== undefined
  return `${explained}: did you mean ${right.join('.')}${isVariable ? ` (${variableOf(right)})` : ''}?`
}

/** The setting of another plugin that has the name of an unknown one: it may have moved there. */
function settingOfOtherPlugin([section, , name, ...deeper]: readonly string[], schema: TObject): string[] | undefined {
  if (section !== 'plugins' || name === undefined || deeper.length > 0) return undefined
  const plugins = Object.keys(propertiesAt(schema, ['plugins']) ?? {})
  const owner = plugins.find(plugin => Object.hasOwn(propertiesAt(schema, ['plugins', plugin]) ?? {}, name))
  return owner === undefined ? undefined : [section, owner, name]
}

export type Installed = Readonly<Record<string, () => Promise<{ default: Plugin }>>>
/** Validated settings, and the enabled plugins. */
export interface Configuration {
  settings: Settings
  /** The enabled ones, each after those that it depends on. */
  plugins: Plugin[]
  warnings: string[]
  /** The schema of the settings; of a plugin that is off, only of `enabled`. */
  schema: TObject
  sources: Sources
}

/**
 * The configuration: `config/default.json`, overridden by the file of `TRACKER_CONFIG`, overridden by the environment.
 * @throws StartError with every problem of the settings
 */
export async function readConfiguration(installed: Installed, env: NodeJS.ProcessEnv): Promise<Configuration> {
  const { tree, ...files } = readFiles(env)
  return configure(installed, tree, env, files)
}

const databaseSettings = Type.Pick(coreSettings, ['databaseUrl', 'dataDir', 'lowMemory'])

/**
 * The settings of the database, read without loading plugins; undefined when they are invalid: `readConfiguration`
 * reports that.
 */
export function readDatabaseSettings(env: NodeJS.ProcessEnv): Static<typeof databaseSettings> | undefined {
  const { tree, problems } = readEnvironment(env, [], settingsSchema([]))
  if (problems.length > 0) return undefined
  const all = merge(readFiles(env).tree, tree)
  const settings = Object.fromEntries(Object.keys(databaseSettings.properties).map(name => [name, all[name]]))
  return problemsOf(databaseSettings, settings, '').length === 0
    ? (settings as Static<typeof databaseSettings>)
    : undefined
}

function readFiles(env: NodeJS.ProcessEnv): { tree: Tree } & Omit<Sources, 'variables'> {
  const defaults = readJson(new URL('../../config/default.json', import.meta.url))
  const { TRACKER_CONFIG: path } = env
  const file = path ? { path, tree: readJson(path) } : undefined
  return { tree: merge(defaults, file?.tree ?? {}), file, defaults }
}

/** @throws StartError when the module of the plugin cannot be imported */
async function load(installed: Installed, name: string): Promise<Plugin> {
  try {
    return (await installed[name]!()).default
  } catch (error) {
    throw new StartError([`plugins.${name}: ${explain(error as Error)}`])
  }
}

interface Packages {
  /** The names of all that the settings have, on or off. */
  names: string[]
  /** Only the ones that are on. */
  plugins: Plugin[]
  problems: string[]
}

/** The plugins whose settings say in `from` where they come from. */
async function loadPackages(installed: Installed, switches: Tree, env: NodeJS.ProcessEnv): Promise<Packages> {
  const packages: Packages = { names: [], plugins: [], problems: [] }
  for (const [name, settings] of Object.entries(switches)) {
    if (!isTree(settings) || typeof settings['from'] !== 'string') continue
    if (Object.hasOwn(installed, name)) {
      packages.problems.push(
        `plugins.${name}.from: tracker has a plugin '${name}' of its own: give the plugin of '${settings['from']}' ` +
          'another name'
      )
      continue
    }
    packages.names.push(name)
    if (settings['enabled'] !== true) continue
    try {
      const { loadPackage } = await import('./package-plugins.ts')
      packages.plugins.push(await loadPackage(name, settings['from'], env))
    } catch (error) {
      packages.problems.push(`plugins.${name}.from: ${explain(error as Error)}`)
    }
  }
  return packages
}

/** A variable of a disabled plugin, as `TRACKER_MODEL_DIR`, is no mistake: to know it, these plugins are loaded. */
async function readEnvironmentOf(
  installed: Installed,
  disabled: readonly string[],
  env: NodeJS.ProcessEnv,
  plugins: readonly Plugin[],
  schema: TObject
): Promise<Environment> {
  const environment = readEnvironment(env, plugins, schema)
  const isUnknown = (path: string) => !path.includes('.') && !Object.hasOwn(schema.properties, path)
  if (![...environment.variables.keys()].some(isUnknown)) return environment
  const loaded = await Promise.all(disabled.map(name => load(installed, name)))
  const ofDisabled = new Set(loaded.flatMap(({ spec }) => Object.keys(spec.env ?? {})))
  const others = Object.entries(env).filter(([variable]) => !ofDisabled.has(variable))
  return readEnvironment(Object.fromEntries(others), plugins, schema)
}

/** Like `readConfiguration`, from an object instead of files. */
export async function configure(
  installed: Installed,
  tree: Tree,
  env: NodeJS.ProcessEnv = {},
  files: Omit<Sources, 'variables'> = {}
): Promise<Configuration> {
  const { $schema: _, ...read } = tree
  // The environment is read twice: the settings of plugins are known only once it is known which plugins are on.
  const switches = merge(read, readEnvironment(env, [], settingsSchema([])).tree)['plugins']
  const isOn = (name: string) => isTree(switches) && isTree(switches[name]) && switches[name]['enabled'] === true
  const own = Object.keys(installed).filter(isOn)
  const packages = await loadPackages(installed, isTree(switches) ? switches : {}, env)
  const plugins = [...(await Promise.all(own.map(name => load(installed, name)))), ...packages.plugins]

  const names = [...Object.keys(installed), ...packages.names]
  const on = plugins.map(({ name }) => name)
  const schema = settingsSchema(
    plugins,
    names.filter(name => !on.includes(name)),
    packages.names
  )
  const disabled = Object.keys(installed).filter(name => !isOn(name))
  const environment = await readEnvironmentOf(installed, disabled, env, plugins, schema)
  const settings = merge({ plugins: Object.fromEntries(names.map(name => [name, {}])) }, merge(read, environment.tree))
  const problems = problemsOf(schema, settings, '').map(problem =>
    /^plugins\.[^.]+ is not a setting$/.test(problem)
      ? problem.replace('is not a setting', `is not installed (installed: ${names.join(', ')}), and has no 'from'`)
      : problem
  )
  problems.push(...packages.problems)
  problems.push(...problemsOfUrls(settings))
  problems.push(...problemsOfBackups(settings))
  problems.push(...problemsOfPublicUrl(settings, plugins))
  const sources: Sources = { ...files, variables: environment.variables }
  const { order, problems: unmet } = resolve(plugins, names)
  const all = [
    ...problems.map(problem => explainProblem(problem, sources, schema)),
    ...environment.problems,
    ...unmet.map(problem => withOrigins(problem, sources))
  ]
  if (all.length > 0) throw new StartError(all)
  return {
    settings: settings as unknown as Settings,
    plugins: order,
    warnings: environment.warnings,
    schema,
    sources
  }
}
