import type { AwilixContainer } from 'awilix'

/**
 * From now on, the container makes each scope when something is asked of it; what was registered in it before is kept
 * meanwhile. Hardly any route asks for its scope, and a scope is expensive: the getter of its registrations gives it a
 * hidden class of its own, which lives until the next full garbage collection, and with it all of the request. Without
 * that, a request that reads nothing takes two thirds of the processor time.
 */
export function makeScopesLazy(container: AwilixContainer): void {
  const { createScope } = container
  Object.assign(container, { createScope: () => lazyScope(container, createScope) })
}

function lazyScope(container: AwilixContainer, createScope: () => AwilixContainer): AwilixContainer {
  const registered: unknown[][] = []
  let scope: AwilixContainer | undefined
  function make(): AwilixContainer {
    const made = createScope()
    for (const args of registered) Reflect.apply(made.register, made, args)
    return made
  }
  const lazy: AwilixContainer = new Proxy(container, {
    get(_container, property) {
      if (scope !== undefined || property !== 'register') return Reflect.get((scope ??= make()), property)
      return (...args: unknown[]) => {
        registered.push(args)
        return lazy
      }
    }
  })
  return lazy
}
