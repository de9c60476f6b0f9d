import type { FastifyRequest } from 'fastify'

/**
 * A value that is kept with a request, as a property of it. In a WeakMap it would live until the next full garbage
 * collection, as all that it refers to, and make these more frequent.
 */
export class RequestValue<T> {
  readonly #property = Symbol('value of a request')

  set(request: FastifyRequest, value: T): void {
    Reflect.set(request, this.#property, value)
  }
  /** @returns what `set` was called with; undefined: it was not called */
  get(request: FastifyRequest): T | undefined {
    return Reflect.get(request, this.#property)
  }
}
