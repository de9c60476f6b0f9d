/** Throws a RangeError that completes the sentence "this attribute …". */
export type Check = (value: unknown) => void

export function refuse(expected: string, value: unknown): never {
  throw new RangeError(`must be ${expected}, not ${JSON.stringify(value)?.slice(0, 80)}`)
}
