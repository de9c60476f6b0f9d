import fp from 'fastify-plugin'
import { contextOf, registerOf } from './contexts.ts'
import type { Contribution, Point } from './contract.ts'
import { CORE_ERROR_CODES } from './errors.ts'
import type { ExtensionPoints } from './extension-points.ts'
import type { Kernel } from './kernel.ts'
import type { App, ContextOf, Dependencies, Plugin } from './plugin.ts'
import { eventTypes, problems, scopes } from './points.ts'
import { StartError } from './resolve.ts'
import { coreScopes } from './scopes.ts'

/**
 * Register, services, routes: each for all plugins before the next.
 * @throws StartError with every problem of a phase
 */
export async function runPhases(
  kernel: Kernel,
  order: readonly Plugin[],
  fakes: Readonly<Record<string, object>>
): Promise<void> {
  const { app, points, singletons } = kernel
  const found: string[] = []
  const attempt = async (plugin: Plugin, work: () => void | Promise<void>) => {
    try {
      await work()
    } catch (error) {
      found.push(`plugins.${plugin.name}: ${(error as Error).message}`)
    }
  }
  const refuse = () => {
    if (found.length > 0) throw new StartError(found)
  }

  const contexts = new Map<Plugin, ContextOf<Dependencies>>()
  for (const plugin of order) {
    const ctx = contextOf(kernel, plugin)
    singletons.add(plugin.name, () => plugin.spec.services?.(ctx) ?? {})
    if (plugin.name in fakes) continue
    contexts.set(plugin, ctx)
    await attempt(plugin, () => plugin.spec.register?.(registerOf(kernel, plugin, ctx)))
  }
  refuse()
  points.freeze()
  found.push(...conflictingNames(points))

  for (const plugin of order) {
    await attempt(plugin, () => {
      singletons.get(plugin.name)
    })
  }
  refuse()
  for (const [plugin, ctx] of contexts) {
    const routes = async (scope: unknown) => attempt(plugin, () => plugin.spec.routes?.(scope as App, ctx))
    await app.register(fp(routes, { name: plugin.name, encapsulate: true }))
  }
  await app.after()
  refuse()
}

/** What is declared twice, or by another plugin than its owner, as problems. */
function conflictingNames(points: ExtensionPoints): string[] {
  const named = <T>(point: Point<string, T>, nameOf: (item: T) => string) =>
    points.read(point).map(({ from, item }: Contribution<T>) => ({ from, name: nameOf(item) }))
  const coreScopeNames = coreScopes.map(({ name }) => name)
  return [
    ...duplicates(
      named(scopes, ({ name }) => name),
      'scope',
      coreScopeNames
    ),
    ...duplicates(
      named(problems, ({ code }) => code),
      'error code',
      CORE_ERROR_CODES
    ),
    ...duplicates(
      named(eventTypes, ({ name }) => name),
      'event type',
      []
    ),
    ...points
      .read(eventTypes)
      .filter(({ from, item }) => item.owner !== from)
      .map(({ from, item }) => `plugins.${from}: the event type '${item.name}' belongs to ${item.owner}`)
  ]
}

/** What is declared twice, as problems. */
function duplicates(
  declared: ReadonlyArray<{ from: string; name: string }>,
  kind: string,
  core: readonly string[]
): string[] {
  const owners = new Map(core.map(name => [name, 'the core']))
  return declared.flatMap(({ from, name }) => {
    const owner = owners.get(name)
    owners.set(name, `plugins.${from}`)
    return owner === undefined
      ? []
      : [`plugins.${from}: the ${kind} '${name}' is taken by ${owner}: choose another name`]
  })
}
