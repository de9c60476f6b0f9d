import { ApiError, scope, type Caller, type Principal, type Scope } from './contract.ts'

/** The core's scopes; every route requires one. Plugins contribute others to the point `scopes`. */
export const readScope = scope('read', 'See everything in the workspace', { isDefault: true })
export const writeScope = scope('write', 'Add and change', { isDefault: true })
export const deleteScope = scope('delete', 'Remove')
export const coreScopes = [readScope, writeScope, deleteScope] as const

/** The names of the scopes of agents that are created, or were before scopes existed, without scopes. */
export const defaultScopes = (scopes: readonly Scope[]): string[] =>
  scopes.filter(({ isDefault }) => isDefault).map(({ name }) => name)

/** GET needs `read`, DELETE needs `delete`, all else `write`, unless the route declares another. */
export function requiredScope(method: string, declared: Scope | undefined): Scope {
  if (declared) return declared
  return method === 'GET' || method === 'HEAD' ? readScope : method === 'DELETE' ? deleteScope : writeScope
}

/** Routes of administrators only have `config: { admin: true }` instead. @throws 403 */
export function assertAdmin({ role }: Principal): void {
  if (role === 'ADMIN') return
  throw new ApiError(
    403,
    'ADMIN_REQUIRED',
    'Only an administrator may do this: ask one, or use an administrator’s token.'
  )
}

/** Checked by routes and again by services. @throws 403 */
export function assertScope(caller: Caller | Principal, { name }: Scope): void {
  if (caller.scopes.includes(name)) return
  const who = 'fullname' in caller ? `the agent '${caller.fullname}'` : 'the caller'
  throw new ApiError(
    403,
    'SCOPE_REQUIRED',
    `This request needs the scope '${name}', which ${who} does not have: an administrator can grant it.`,
    { requiredScope: name },
    { 'www-authenticate': `Bearer error="insufficient_scope", scope="${name}"` }
  )
}
