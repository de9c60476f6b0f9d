import type { Id } from '../../../core/api/database/types.ts'
import { loadBlocks, loadParents } from '../queries/read/circles.ts'
import type { Trx } from '../context.ts'

interface Edge {
  type: string
  id: Id
  otherId: Id
}

/**
 * The parents and blockers with which an import's relations could form a circle, read at once: most relations then need
 * no query of their own. The graph is locked.
 */
export class RelationGraph {
  readonly #parents = new Map<Id, Id>()
  readonly #blocked = new Map<Id, Set<Id>>()

  static async load(trx: Trx, workspaceId: Id, relations: readonly Edge[]): Promise<RelationGraph> {
    const ofType = (edgeType: string) => relations.filter(({ type }) => type === edgeType)
    const parts = ofType('PARENT').flatMap(({ id, otherId }) => [id, otherId])
    const blocked = ofType('BLOCKS').map(({ otherId }) => otherId)
    const parents = await loadParents(trx, workspaceId, parts)
    const graph = new RelationGraph()
    for (const { id, otherId } of parents) graph.add('PARENT', id, otherId)
    for (const { id, otherId } of await loadBlocks(trx, workspaceId, blocked)) graph.add('BLOCKS', id, otherId)
    return graph
  }

  hasParent = (id: Id): boolean => this.#parents.has(id)

  add(type: string, id: Id, otherId: Id): void {
    if (type === 'PARENT') this.#parents.set(id, otherId)
    if (type === 'BLOCKS') this.#blocked.set(id, (this.#blocked.get(id) ?? new Set()).add(otherId))
  }

  /** True if `id` would become an ancestor of itself, or block itself. */
  closes(type: string, id: Id, otherId: Id): boolean {
    if (type === 'BLOCKS') return reaches(otherId, id, issue => this.#blocked.get(issue) ?? [])
    if (type !== 'PARENT') return false
    return reaches(otherId, id, issue => {
      const parent = this.#parents.get(issue)
      return parent === undefined ? [] : [parent]
    })
  }
}

function reaches(from: Id, to: Id, next: (id: Id) => Iterable<Id>): boolean {
  const visited = new Set([from])
  // Iterating over a set includes elements that are added meanwhile.
  for (const id of visited) {
    if (id === to) return true
    for (const other of next(id)) visited.add(other)
  }
  return false
}
