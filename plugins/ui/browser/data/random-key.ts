/** A text that no other has. Not of `crypto.randomUUID`, which pages without TLS do not have. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map(number => number.toString(36)).join('-')
