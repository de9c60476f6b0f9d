import type { FastifyRequest } from 'fastify'

/**
 * A value of a request, stored as its property. In a WeakMap it would live until the next full garbage collection, with
 * everything that it refers to, and make these more frequent.
 */
export class RequestValue<T> {
  readonly #property = Symbol('value of a request')

  set(request: FastifyRequest, value: T): void {
    Reflect.set(request, this.#property, value)
  }
  /** @returns undefined before `set` */
  get(request: FastifyRequest): T | undefined {
    return Reflect.get(request, this.#property)
  }
}
