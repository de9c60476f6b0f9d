import { setImmediate } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { addCoreServices, contextOf, registerOf } from './contexts.ts'
import type { Point } from '../api/contract.ts'
import { CORE_ERROR_CODES } from '../api/errors.ts'
import type { ExtensionPoints } from './extension-points.ts'
import type { Kernel } from './kernel.ts'
import { RESERVED_NAMES, type App, type ContextOf, type Dependencies, type Plugin } from '../api/plugin.ts'
import { eventTypes, problems, scopes } from '../api/points.ts'
import { explain, StartError } from '../config/start-error.ts'
import { coreScopes } from '../api/scopes.ts'

type Registered = ReadonlyMap<Plugin, ContextOf<Dependencies>>

export async function registerAll(
  kernel: Kernel,
  order: readonly Plugin[],
  fakes: Readonly<Record<string, object>>
): Promise<Registered> {
  const { points, singletons } = kernel
  const problems = new Problems()
  const contexts = new Map<Plugin, ContextOf<Dependencies>>()
  addCoreServices(kernel)
  for (const plugin of order) {
    const { name } = plugin
    if (singletons.has(name) || RESERVED_NAMES.includes(name)) {
      problems.add([`plugins.${name}: the core uses this name: choose another one`])
    }
    const ctx = contextOf(kernel, plugin)
    singletons.add(name, () => plugin.spec.services?.(ctx) ?? {})
    if (name in fakes) continue
    contexts.set(plugin, ctx)
    await problems.collect(plugin, () => plugin.spec.register?.(registerOf(kernel, plugin, ctx)))
  }
  problems.assertNone()
  points.freeze()
  problems.add(conflictingNames(points))
  problems.assertNone()
  return contexts
}

export async function addServicesAndRoutes(
  { app, singletons }: Kernel,
  order: readonly Plugin[],
  registered: Registered
): Promise<void> {
  const problems = new Problems()
  for (const plugin of order) {
    await problems.collect(plugin, () => {
      singletons.get(plugin.name)
    })
  }
  problems.assertNone()
  for (const [plugin, ctx] of registered) {
    const routes = async (scope: unknown) => problems.collect(plugin, () => plugin.spec.routes?.(scope as App, ctx))
    await app.register(fp(routes, { name: plugin.name, encapsulate: true }))
    // Yields to the database, which is opened meanwhile.
    await setImmediate()
  }
  await app.after()
  problems.assertNone()
}

class Problems {
  readonly #found: string[] = []

  add(problems: readonly string[]): void {
    this.#found.push(...problems)
  }

  async collect(plugin: Plugin, work: () => void | Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#found.push(`plugins.${plugin.name}: ${explain(error as Error)}`)
    }
  }

  assertNone(): void {
    if (this.#found.length > 0) throw new StartError(this.#found)
  }
}

function conflictingNames(points: ExtensionPoints): string[] {
  const duplicates = <T>(point: Point<string, T>, kind: string, nameOf: (item: T) => string, ofCore: string[] = []) => {
    const owners = new Map(ofCore.map(name => [name, 'the core']))
    return points.read(point).flatMap(({ from, item }) => {
      const name = nameOf(item)
      const owner = owners.get(name)
      owners.set(name, `plugins.${from}`)
      return owner === undefined
        ? []
        : [`plugins.${from}: the ${kind} '${name}' is taken by ${owner}: choose another name`]
    })
  }
  const coreScopeNames = coreScopes.map(({ name }) => name)
  return [
    ...duplicates(scopes, 'scope', ({ name }) => name, coreScopeNames),
    ...duplicates(problems, 'error code', ({ code }) => code, [...CORE_ERROR_CODES]),
    ...duplicates(eventTypes, 'event type', ({ name }) => name),
    ...points
      .read(eventTypes)
      .filter(({ from, item }) => item.owner !== from)
      .map(({ from, item }) => `plugins.${from}: the event type '${item.name}' belongs to ${item.owner}`)
  ]
}
