import type { Plugin } from '../../core/api/plugin.ts'
import { installed } from '../../plugins/index.ts'

/** Every installed plugin, by name. */
export const allPlugins: ReadonlyMap<string, Plugin> = new Map(
  await Promise.all(
    Object.entries(installed).map(async ([name, load]): Promise<[string, Plugin]> => [name, (await load()).default])
  )
)

/** A plugin with its direct and indirect requirements. */
export function withRequired(name: string): string[] {
  const requires = allPlugins.get(name)?.dependencies.requires ?? []
  return [...new Set([...requires.flatMap(other => withRequired(other.name)), name])]
}

/** All plugins but one and those that require it. */
export const without = (name: string): string[] =>
  [...allPlugins.keys()].filter(other => !withRequired(other).includes(name))
