import type { Plugin } from '../api/plugin.ts'

/**
 * Sorts the enabled plugins by their dependencies.
 * @param on the enabled plugins
 * @param installed the names of all installed plugins
 * @returns the order and every problem; with problems, ignore the order
 */
export function resolve(on: readonly Plugin[], installed: readonly string[]): { order: Plugin[]; problems: string[] } {
  const problems: string[] = []
  const byName = new Map(on.map(plugin => [plugin.name, plugin]))
  for (const plugin of on) {
    if (byName.get(plugin.name) !== plugin) problems.push(`plugins.${plugin.name} is installed twice`)
    for (const { name } of plugin.dependencies.requires) {
      if (byName.has(name) || installed.includes(name)) continue
      problems.push(`plugins.${plugin.name} requires '${name}', which is not installed`)
    }
  }
  for (const off of installed.filter(name => !byName.has(name))) {
    const dependents = dependentsOf(off, on)
    if (dependents.length === 0) continue
    const names = dependents.map(name => `plugins.${name}`).join(', ')
    const settings = dependents.map(name => `plugins.${name}.enabled`).join(', ')
    problems.push(
      `'${off}' is turned off, which ${names} ${dependents.length === 1 ? 'requires' : 'require'}: ` +
        `set plugins.${off}.enabled to true, or ${settings} to false`
    )
  }

  const order: Plugin[] = []
  const path: string[] = []
  const done = new Set<string>()
  function visit(plugin: Plugin): void {
    if (done.has(plugin.name)) return
    if (path.includes(plugin.name)) {
      const circle = [...path.slice(path.indexOf(plugin.name)), plugin.name]
      problems.push(`plugins depend on each other in a circle: ${circle.join(' -> ')}`)
      return
    }
    path.push(plugin.name)
    for (const { name } of [...plugin.dependencies.requires, ...plugin.dependencies.optional]) {
      const other = byName.get(name)
      if (other) visit(other)
    }
    path.pop()
    done.add(plugin.name)
    order.push(plugin)
  }
  on.forEach(visit)
  return { order, problems }
}

/** The enabled plugins that require `name`, directly or indirectly. */
function dependentsOf(name: string, on: readonly Plugin[]): string[] {
  const missing = new Set([name])
  let before: number
  do {
    before = missing.size
    for (const plugin of on) {
      if (plugin.dependencies.requires.some(required => missing.has(required.name))) missing.add(plugin.name)
    }
  } while (missing.size > before)
  return [...missing].filter(other => other !== name)
}
