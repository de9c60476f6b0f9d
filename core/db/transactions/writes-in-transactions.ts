import type { KyselyPlugin, OperationNode, PluginTransformQueryArgs, RootOperationNode } from 'kysely'
import { isInWritingRequest } from './request-transaction.ts'

/**
 * A request must write in `ctx.transaction`, which stores the answer for its `Idempotency-Key`: a handle with this
 * plugin refuses writes, which a repeated request would repeat.
 */
export const writesInTransactions: KyselyPlugin = {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (isWrite(node) && isInWritingRequest()) {
      throw new Error('A request wrote through ctx.db. Write through the trx of ctx.transaction(async trx => …).')
    }
    return node
  },
  transformResult: async ({ result }) => result
}

type Kind = OperationNode['kind']
const WRITES = new Set<Kind>(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])

function isWrite(node: RootOperationNode): boolean {
  if (node.kind === 'SelectQueryNode') {
    return node.with?.expressions.some(({ expression }) => WRITES.has(expression.kind)) ?? false
  }
  // A raw statement is recognised by its first word; one that begins with `with` may be a read.
  if (node.kind === 'RawNode') return /^\s*(?:insert|update|delete|merge)\b/i.test(node.sqlFragments[0] ?? '')
  return WRITES.has(node.kind)
}
