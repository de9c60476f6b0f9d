/** Splits items into consecutive groups of at most `maxSize`; a larger item is a group of its own. */
export function groupBySize<T>(items: readonly T[], sizeOf: (item: T) => number, maxSize: number): T[][] {
  const groups: T[][] = []
  let room = 0
  for (const item of items) {
    const size = sizeOf(item)
    room -= size
    if (room < 0 || groups.length === 0) {
      groups.push([])
      room = maxSize - size
    }
    groups.at(-1)!.push(item)
  }
  return groups
}
