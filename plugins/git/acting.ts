import { Type } from 'typebox'
import { ApiError, type Actor } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { MAX_URL_LENGTH, type IssueRef } from '../issues/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { findAccountNamed } from './queries.ts'

/** Maximum issues that one delivery changes: more keys occur only in a push of a whole history. */
const MAX_ISSUES = 200

/** The address of a commit or pull request in a payload: what a link can hold. */
export const Url = Type.String({ pattern: '^https?://', maxLength: MAX_URL_LENGTH })
/** A time in a payload. */
export const When = Type.String({ format: 'date-time' })

export interface Hook {
  workspaceId: Id
  id: Id
  repository: string
  accountId: Id
}

/** Whether a delivery is of the repository that the hook is for; GitHub does not tell names by their case. */
export const isOf = (hook: Hook, repository: { full_name: string }): boolean =>
  repository.full_name.toLowerCase() === hook.repository.toLowerCase()

/** Who acts: the account that the deployer maps the author to, or the plugin's own. */
export async function actorFor(ctx: Ctx, trx: Trx, hook: Hook, login: string): Promise<Actor> {
  const { accounts } = ctx.settings
  // A login may be the name of what every object inherits, such as `constructor`.
  const name = Object.hasOwn(accounts, login) ? accounts[login] : undefined
  const mapped = name === undefined ? undefined : await findAccountNamed(trx, hook.workspaceId, name)
  const accountId = mapped?.id ?? hook.accountId
  return { ...ctx.asServer(hook.workspaceId, accountId), accountId, origin: 'git' }
}

/** The issues that keys name, by the keys, all of them locked; what names none is a word like any other. */
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

/** The ids of the issues that keys name, each once. */
export const idsOf = (keys: Iterable<string>, issues: ReadonlyMap<string, IssueRef>): ReadonlySet<Id> =>
  new Set([...keys].flatMap(key => issues.get(key)?.id ?? []))
