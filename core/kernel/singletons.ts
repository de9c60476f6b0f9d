import { asFunction, asValue, createContainer, type DisposableResolver } from 'awilix'

/** A server's singletons: the plugins' services, and the results of `singleton`. */
export type Singletons = ReturnType<typeof makeSingletons>

/** @param fakes by name, for tests: each replaces an instance */
export function makeSingletons(fakes: Readonly<Record<string, object>>) {
  const container = createContainer({ strict: true })
  return {
    container,
    add<T extends object>(name: string, make: () => T, stop?: (singleton: T) => Promise<void> | void): void {
      const fake = fakes[name]
      container.register(
        name,
        fake === undefined
          ? asFunction(make)
              .singleton()
              .disposer(async singleton => stop?.(singleton))
          : asValue(fake)
      )
    },
    has: (name: string): boolean => container.hasRegistration(name),
    get: <T extends object>(name: string): T => container.resolve(name),
    /** Stops all instances, each before its dependencies. @throws the first error, after the others are stopped */
    async stop(): Promise<void> {
      const errors: unknown[] = []
      // The cache is in the order of creation, so dependencies come first. (`container.dispose()` stops all at once.)
      for (const [, { resolver, value }] of [...container.cache].reverse()) {
        await Promise.try(() => (resolver as DisposableResolver<unknown>).dispose?.(value)).catch((error: unknown) =>
          errors.push(error)
        )
      }
      container.cache.clear()
      if (errors.length > 0) throw errors[0]
    }
  }
}
