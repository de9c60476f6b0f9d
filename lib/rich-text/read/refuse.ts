import type { AttributeSpec } from 'prosemirror-model'

/** Throws a RangeError that completes the sentence "this attribute …". */
export type Check = (value: unknown) => void

export function refuse(expected: string, value: unknown): never {
  throw new RangeError(`must be ${expected}, not ${JSON.stringify(value)?.slice(0, 80)}`)
}

/** @throws RangeError when the value is invalid for the attribute */
export function checkType(value: unknown, { validate }: AttributeSpec) {
  if (typeof validate === 'function') validate(value)
  else if (validate && !validate.split('|').includes(value === null ? 'null' : typeof value)) {
    throw new RangeError(`must be ${validate.replace('|', ' or ')}`)
  }
}
