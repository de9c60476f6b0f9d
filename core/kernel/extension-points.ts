import type { Contribution, Point } from '../api/contract.ts'

type Items = ReadonlyArray<Contribution<unknown>>

/** The plugins' contributions, in their order of start. */
export type ExtensionPoints = ReturnType<typeof makeExtensionPoints>

export function makeExtensionPoints() {
  const added = new Map<string, Array<() => Items>>()
  const complete = new Map<string, Items>()
  const reading = new Set<string>()
  let frozen = false

  function itemsOf(id: string): Items {
    const known = complete.get(id)
    if (known) return known
    if (reading.has(id)) throw new Error(`a contribution to ${id} needs all contributions to ${id}, itself among them`)
    reading.add(id)
    try {
      const items = (added.get(id) ?? []).flatMap(make => make())
      complete.set(id, items)
      return items
    } finally {
      reading.delete(id)
    }
  }

  return {
    /** @param make is called when the point is first read */
    add({ id }: Point<string, unknown>, from: string, make: () => readonly unknown[]): void {
      if (frozen) throw new Error(`${from} contributes to ${id} after register: contribute in register`)
      const makeItems = () => make().map(item => ({ from, item }))
      added.set(id, [...(added.get(id) ?? []), makeItems])
    },
    freeze(): void {
      frozen = true
    },
    isFrozen: (): boolean => frozen,
    read<T>({ id }: Point<string, T>): ReadonlyArray<Contribution<T>> {
      if (!frozen) throw new Error(`${id} is read during register, when it is not complete: read it from services on`)
      // The token with which the item was contributed has the item's type.
      return itemsOf(id) as ReadonlyArray<Contribution<T>>
    }
  }
}
