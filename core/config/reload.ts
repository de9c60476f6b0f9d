import { isDeepStrictEqual } from 'node:util'
import type { Configuration, Settings } from './config.ts'
import { isReloaded, listSettings } from './listing.ts'
import { isTree, type Tree } from './tree.ts'

export interface Reloaded {
  /** Paths of the settings that were taken over. */
  changed: string[]
  /** Paths of those that differ, and that a running server cannot change. */
  needRestart: string[]
}

/**
 * Takes over what may change while a server runs: the settings whose schema says `reloads: true`.
 * @param running is changed in place: plugins have parts of it
 */
export function reloadSettings(running: Settings, { settings, schema }: Configuration): Reloaded {
  const reloaded: Reloaded = { changed: [], needRestart: [] }
  const before = running as unknown as Tree
  for (const { path, schema: at, value } of listSettings(schema, settings as unknown as Tree)) {
    const keys = path.split('.')
    const holder = keys.slice(0, -1).reduce<unknown>((tree, key) => (isTree(tree) ? tree[key] : undefined), before)
    const key = keys.at(-1)!
    if (isTree(holder)) {
      // The settings of a plugin that was off are new as a whole: `enabled` stands for them.
      if (holder['enabled'] === false && key !== 'enabled') continue
      if (isDeepStrictEqual(holder[key], value)) continue
    }
    if (isTree(holder) && isReloaded(at)) {
      holder[key] = value
      reloaded.changed.push(path)
    } else {
      reloaded.needRestart.push(path)
    }
  }
  return reloaded
}
