/** Whether a value of JSON is an object or a list. */
export const hasFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
