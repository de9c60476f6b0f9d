import { readFileSync } from 'node:fs'
import { distance } from 'fastest-levenshtein'
import type { TObject, TSchema } from 'typebox'
import type { Plugin } from '../api/plugin.ts'
import { merge, type Tree } from './tree.ts'

/** Environment variables without the prefix `TRACKER_`, by convention of hosts and of PostgreSQL clients. */
const PLAIN_VARIABLES = {
  HOST: 'host',
  PORT: 'port',
  LOG_LEVEL: 'logLevel',
  DATABASE_URL: 'databaseUrl',
  DATABASE_DIRECT_URL: 'databaseDirectUrl'
}
export const coreVariables: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PLAIN_VARIABLES).map(([variable, key]) => [key, variable])
)
/** The variable of a setting: `TRACKER_PLUGINS__SEARCH__ENABLED` for `plugins.search.enabled`. */
export const variableOf = (path: readonly string[]): string =>
  `TRACKER_${path.map(key => key.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()).join('__')}`

/** Variables that are no settings: of the start, the configuration's path, and of clients. */
const NOT_SETTINGS = ['TRACKER_PLAIN_START', 'TRACKER_CONFIG', 'TRACKER_URL', 'TRACKER_TOKEN']

/**
 * Kubernetes sets these in each container for a Service whose name begins with `tracker`.
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const SERVICE_VARIABLE =
  /^TRACKER_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/
const isOfService = (variable: string, value: string) =>
  SERVICE_VARIABLE.test(variable) || (/^TRACKER_(?:\w+_)?PORT$/.test(variable) && /^(?:tcp|udp|sctp):\/\//.test(value))

/** A variable with this suffix holds the path of a file with the value, such as a secret of Docker or Kubernetes. */
const FILE = '_FILE'
/** Shorter names are similar to too many others: `HOME` to `HOST`. */
const MIN_MISSPELT_LENGTH = 8
const MAX_MISSPELT_LETTERS = 2

export interface Environment {
  tree: Tree
  variables: Map<string, string>
  /** Sentences: files that cannot be read, and settings that are set twice. */
  problems: string[]
  /** Sentences: variables that look like settings but are none. */
  warnings: string[]
}

export function readEnvironment(env: NodeJS.ProcessEnv, plugins: readonly Plugin[], schema: TObject): Environment {
  const named = namedVariables(plugins)
  const others = new Set([...NOT_SETTINGS, ...plugins.flatMap(({ spec }) => spec.childEnv ?? [])])
  const parts: Environment = { tree: {}, variables: new Map(), problems: [], warnings: [] }
  const pathOf = (variable: string) =>
    named.get(variable) ??
    (variable.startsWith('TRACKER_') ? variable.slice('TRACKER_'.length).split('__').map(camel) : undefined)

  // Plain names last: they win over the `TRACKER_` name of the same setting.
  for (const [variable, value = ''] of Object.entries(env).toSorted(([a], [b]) => +named.has(a) - +named.has(b))) {
    if (value === '' || others.has(variable) || isOfService(variable, value)) continue
    const path = pathOf(variable)
    if (path !== undefined && !isFileOf(variable, path, named, schema)) set(parts, variable, path, value, schema)
    else if (variable.endsWith(FILE)) setFromFile(parts, variable, pathOf(variable.slice(0, -FILE.length)), env, schema)
    else if (path === undefined) parts.warnings.push(...misspelt(variable, named))
  }
  return parts
}

/** Variables with names of their own, and their settings' paths. */
function namedVariables(plugins: readonly Plugin[]): Map<string, string[]> {
  const named = new Map<string, string[]>(Object.entries(PLAIN_VARIABLES).map(([name, key]) => [name, [key]]))
  for (const { name, spec } of plugins) {
    for (const [variable, key] of Object.entries(spec.env ?? {})) named.set(variable, ['plugins', name, key])
  }
  return named
}

/** True if a variable is no setting, but is one without the suffix `_FILE`. */
function isFileOf(
  variable: string,
  path: readonly string[],
  named: ReadonlyMap<string, unknown>,
  schema: TObject
): boolean {
  const last = path.at(-1) ?? ''
  if (schemaAt(schema, path) !== undefined || !last.endsWith('File')) return false
  if (named.has(variable.slice(0, -FILE.length))) return true
  return schemaAt(schema, [...path.slice(0, -1), last.slice(0, -'File'.length)]) !== undefined
}

function set(parts: Environment, variable: string, path: readonly string[], value: string, schema: TObject): void {
  const parsed = parseValue(value, schemaAt(schema, path))
  parts.tree = merge(parts.tree, path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), parsed) as Tree)
  parts.variables.set(path.join('.'), variable)
}

/**
 * A secret that is no setting, such as a token for a command: the variable, or the content of the file that
 * `<variable>_FILE` names.
 * @param pathOf resolves a path that the user names
 * @throws Error when both are set, or the file cannot be read
 */
export function secretOf(
  env: Readonly<Record<string, string | undefined>>,
  variable: string,
  pathOf: (name: string) => string = name => name
): string | undefined {
  const value = env[variable] || undefined
  const file = env[`${variable}${FILE}`] || undefined
  if (file === undefined) return value
  if (value !== undefined) throw new Error(`${bothAreSet(variable)}.`)
  try {
    return readSecret(pathOf(file))
  } catch (error) {
    throw new Error(`${variable}${FILE} names a file that cannot be read: ${(error as Error).message}`, {
      cause: error
    })
  }
}

const bothAreSet = (variable: string) => `${variable} and ${variable}${FILE} are both set: set one of them`
// Editors and `echo` append a line break.
const readSecret = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '')

function setFromFile(
  parts: Environment,
  variable: string,
  path: string[] | undefined,
  env: NodeJS.ProcessEnv,
  schema: TObject
): void {
  const direct = variable.slice(0, -FILE.length)
  if (path === undefined || schemaAt(schema, path) === undefined) return
  if (env[direct]) {
    parts.problems.push(bothAreSet(direct))
    return
  }
  try {
    set(parts, variable, path, readSecret(env[variable]!), schema)
  } catch (error) {
    parts.problems.push(`${variable} names a file that cannot be read: ${(error as Error).message}`)
  }
}

function misspelt(variable: string, named: ReadonlyMap<string, unknown>): string[] {
  if (variable.length < MIN_MISSPELT_LENGTH) return []
  const right = [...named.keys()].find(
    name => name.length >= MIN_MISSPELT_LENGTH && distance(variable, name) <= MAX_MISSPELT_LETTERS
  )
  return right === undefined ? [] : [`The environment variable ${variable} is no setting: did you mean ${right}?`]
}

const camel = (word: string) => word.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** Parses the value as JSON, if possible, unless the setting is a string. */
function parseValue(value: string, schema: TSchema | undefined): unknown {
  if ((schema as { type?: string } | undefined)?.type === 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function schemaAt(schema: TObject, path: readonly string[]): TSchema | undefined {
  const last = path.at(-1) ?? ''
  const properties = propertiesAt(schema, path.slice(0, -1))
  return properties !== undefined && Object.hasOwn(properties, last) ? properties[last] : undefined
}

/** The properties of the setting at a path; undefined when it has none. */
export function propertiesAt(schema: TObject, path: readonly string[]): Record<string, TSchema> | undefined {
  let properties: Record<string, TSchema> | undefined = schema.properties
  for (const key of path) {
    const at: TSchema | undefined =
      properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined
    properties = (at as { properties?: Record<string, TSchema> } | undefined)?.properties
  }
  return properties
}
