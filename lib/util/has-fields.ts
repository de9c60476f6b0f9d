/** True if a JSON value is an object or a list. */
export const hasFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
