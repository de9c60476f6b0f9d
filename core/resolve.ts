import type { Plugin } from './plugin.ts'

/** Everything that keeps the server from starting, at once. */
export class StartError extends Error {
  readonly problems: readonly string[]
  constructor (problems: readonly string[]) {
    super(`The server cannot start:\n${problems.map(p => `  - ${p}`).join('\n')}`)
    this.problems = problems
  }
}

/**
 * Puts the plugins that are on into the order in which they start: each after what it requires and uses.
 * @returns the order and every problem found; with problems the order is of no use.
 */
export function resolve (installed: readonly Plugin[], enabled: ReadonlySet<string>): { order: Plugin[], problems: string[] } {
  const problems: string[] = []
  const byName = new Map<string, Plugin>()
  for (const plugin of installed) {
    if (byName.has(plugin.name)) problems.push(`plugins.${plugin.name} is installed twice`)
    byName.set(plugin.name, plugin)
  }
  const on = [...byName.values()].filter(plugin => enabled.has(plugin.name))
  for (const plugin of on) {
    for (const { name } of plugin.spec.requires ?? []) {
      if (!byName.has(name)) problems.push(`plugins.${plugin.name} requires '${name}', which is not installed`)
      else if (!enabled.has(name)) problems.push(`plugins.${plugin.name} requires '${name}', which is turned off: set plugins.${name}.enabled to true, or plugins.${plugin.name}.enabled to false`)
    }
  }

  const order: Plugin[] = []
  const path: string[] = []
  const done = new Set<string>()
  function visit (plugin: Plugin): void {
    if (done.has(plugin.name)) return
    if (path.includes(plugin.name)) {
      problems.push(`plugins depend on each other in a circle: ${[...path.slice(path.indexOf(plugin.name)), plugin.name].join(' -> ')}`)
      return
    }
    path.push(plugin.name)
    for (const { name } of [...plugin.spec.requires ?? [], ...plugin.spec.optional ?? []]) {
      const other = byName.get(name)
      if (other && enabled.has(name)) visit(other)
    }
    path.pop()
    done.add(plugin.name)
    order.push(plugin)
  }
  on.forEach(visit)
  return { order, problems }
}
