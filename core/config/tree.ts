/** Settings as nested objects, before validation. */
export type Tree = { [key: string]: unknown }

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function merge(under: Tree, over: Tree): Tree {
  const merged = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    merged[key] = isTree(below) && isTree(value) ? merge(below, value) : value
  }
  return merged
}
