/** Pages without TLS have no `crypto.randomUUID`. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map(number => number.toString(36)).join('-')
