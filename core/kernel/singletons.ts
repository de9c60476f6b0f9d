import { asFunction, asValue, createContainer, type AwilixContainer, type DisposableResolver } from 'awilix'

/** A server's singletons: the plugins' services, and the results of `singleton`. */
export interface Singletons {
  readonly container: AwilixContainer
  /** Registers how to make and stop an instance; a fake of that name replaces it. */
  add<T extends object>(name: string, make: () => T, stop?: (singleton: T) => Promise<void> | void): void
  has(name: string): boolean
  /** The instance, made on first use. */
  get<T extends object>(name: string): T
  /** Stops all instances, each before its dependencies. */
  stop(): Promise<void>
}

/** @param fakes by name, for tests */
export function makeSingletons(fakes: Readonly<Record<string, object>>): Singletons {
  const container = createContainer({ strict: true })
  return {
    container,
    add(name, make, stop) {
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
    has: name => container.hasRegistration(name),
    get: name => container.resolve(name),
    async stop() {
      // The cache is in the order of creation, so dependencies come first. (`container.dispose()` stops all at once.)
      for (const [, { resolver, value }] of [...container.cache].reverse()) {
        await (resolver as DisposableResolver<unknown>).dispose?.(value)
      }
      container.cache.clear()
    }
  }
}
