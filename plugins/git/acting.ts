import { Type } from 'typebox'
import { ApiError, type Actor } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { MAX_URL_LENGTH, type IssueRef } from '../issues/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { findAccountNamed } from './queries.ts'

/** Maximum issues that one delivery changes: only a push of a whole history names more. */
const MAX_ISSUES = 200

/** Within the limit of links. */
export const Url = Type.String({ pattern: '^https?://', maxLength: MAX_URL_LENGTH })
export const When = Type.String({ format: 'date-time' })

export interface Hook {
  workspaceId: Id
  id: Id
  repository: string
  accountId: Id
}

/** GitHub's names are case-insensitive. */
export const isOf = (hook: Hook, repository: { full_name: string }): boolean =>
  repository.full_name.toLowerCase() === hook.repository.toLowerCase()

/** The actor: the account mapped to the author's login, or the plugin's own. */
export async function actorFor(ctx: Ctx, trx: Trx, hook: Hook, login: string | undefined): Promise<Actor> {
  const isAuthor = ([own]: [string, string]) => own.toLowerCase() === login?.toLowerCase()
  const name = Object.entries(ctx.settings.accounts).find(isAuthor)?.[1]
  const mapped = name === undefined ? undefined : await findAccountNamed(trx, hook.workspaceId, name)
  const accountId = mapped?.id ?? hook.accountId
  return { ...ctx.asServer(hook.workspaceId, accountId), accountId, origin: 'git' }
}

/** By key; other words are ignored. */
export async function lockNamed(
  ctx: Ctx,
  trx: Trx,
  actor: Actor,
  keys: Iterable<string>
): Promise<ReadonlyMap<string, IssueRef>> {
  const issues = new Map<string, IssueRef>()
  for (const key of [...new Set(keys)].slice(0, MAX_ISSUES)) {
    try {
      issues.set(key, await ctx.use.issues.find(actor, trx, key))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
  if (issues.size > 0) await ctx.use.issues.lock(actor, trx, [...idsOf(issues.keys(), issues)])
  return issues
}

export const idsOf = (keys: Iterable<string>, issues: ReadonlyMap<string, IssueRef>): ReadonlySet<Id> =>
  new Set([...keys].flatMap(key => issues.get(key)?.id ?? []))
