/** A list with an id that it has not, or without one that it has. */
export const toggled = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter(other => other !== id) : [...ids, id]
