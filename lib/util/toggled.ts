export const toggled = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter(other => other !== id) : [...ids, id]
