import type { Scope } from './db/tables.ts'

export const SCOPES = ['read', 'write', 'delete'] as const satisfies readonly Scope[]
/** What a new agent gets, and what an agent from before there were scopes has. `delete` is only ever granted on purpose. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write']

/** GET needs `read`, DELETE needs `delete`, all else `write`, unless the route declares another. */
export function requiredScope(method: string, declared: Scope | undefined): Scope {
  if (declared) return declared
  return method === 'GET' || method === 'HEAD' ? 'read' : method === 'DELETE' ? 'delete' : 'write'
}
