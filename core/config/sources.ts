import { isTree, type Tree } from './tree.ts'

/** Where settings come from, from the one that wins to the one that gives way. */
export interface Sources {
  /** The variable of each setting, by dotted path. */
  variables: ReadonlyMap<string, string>
  /** The file that `TRACKER_CONFIG` names. */
  file?: { path: string; tree: Tree } | undefined
  /** The content of `config/default.json`. */
  defaults?: Tree
}

/** The variable that holds a setting, or what the setting is a part of. */
export function variableAt(path: string, { variables }: Sources): string | undefined {
  const keys = path.split('.')
  return keys.map((_, n) => variables.get(keys.slice(0, keys.length - n).join('.'))).find(name => name !== undefined)
}

/** The variable or the file that a faulty setting is in; undefined: neither. */
export function originOf(path: string, sources: Sources): string | undefined {
  const keys = path.split('.')
  // An element of a list has no name of its own.
  const element = keys.findIndex(key => /^\d+$/.test(key))
  const setting = (element < 0 ? keys : keys.slice(0, element)).join('.')
  return variableAt(path, sources) ?? (hasSetting(sources.file?.tree, setting) ? sources.file?.path : undefined)
}

/**
 * Where the value of a setting comes from, for people. A value with parts may come from several places.
 * @param env to name the files of secrets
 */
export function describeSource(path: string, sources: Sources, env: NodeJS.ProcessEnv): string {
  const whole = variableAt(path, sources)
  const ofParts = [...sources.variables].filter(([part]) => part.startsWith(`${path}.`)).map(([, name]) => name)
  const variables = [...(whole === undefined ? [] : [whole]), ...ofParts].map(name =>
    name.endsWith('_FILE') ? `secret file ${env[name]} (${name})` : `environment variable ${name}`
  )
  const files = [
    ...(hasSetting(sources.file?.tree, path) ? [`file ${sources.file?.path}`] : []),
    ...(hasSetting(sources.defaults, path) ? ['config/default.json'] : [])
  ]
  const all = [...variables, ...files]
  return (ofParts.length > 0 ? all.join(', ') : all[0]) ?? 'default'
}

function hasSetting(tree: Tree | undefined, path: string): boolean {
  let at: unknown = tree
  for (const key of path.split('.')) {
    if (!isTree(at) || !Object.hasOwn(at, key)) return false
    at = at[key]
  }
  return at !== undefined
}

/** A problem between plugins, with the variable or file of each setting that it names. */
export function withOrigins(problem: string, sources: Sources): string {
  const named = new Set(problem.match(/\bplugins(?:\.\w+)+/g))
  const origins = [...named].flatMap(path => {
    const origin = originOf(path, sources)
    return origin === undefined ? [] : [`${path} is set in ${origin}`]
  })
  return origins.length === 0 ? problem : `${problem} (${origins.join(', ')})`
}
