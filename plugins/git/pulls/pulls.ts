import { Type, type Static } from 'typebox'
import type { Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { Nullable } from '../../../core/api/schemas.ts'
import { actorFor, idsOf, isOf, lockNamed, Url, When, type Hook } from '../acting.ts'
import type { Ctx, Trx } from '../context.ts'
import { namedKeys } from '../keys.ts'
import { closedKeys } from './closing.ts'
import type { PullTexts } from './texts.ts'
import { closingState } from '../queries.ts'

const Repository = Type.Object({ full_name: Type.String() })
export const PullEvent = Type.Object({
  action: Type.String(),
  repository: Type.Object({ full_name: Type.String(), default_branch: Type.String() }),
  pull_request: Type.Object({
    number: Type.Integer(),
    html_url: Url,
    title: Type.String(),
    body: Nullable(Type.String()),
    state: Type.String(),
    merged: Type.Boolean(),
    updated_at: When,
    author_association: Type.String(),
    /** Null: GitHub has deleted the author's account. */
    user: Nullable(Type.Object({ login: Type.String() })),
    head: Type.Object({ ref: Type.String(), repo: Nullable(Repository) }),
    base: Type.Object({ ref: Type.String(), repo: Repository })
  })
})
type Pull = Static<typeof PullEvent>['pull_request']

/** Days for which a merge may still close issues: deliveries are stored as long, so that none is handled twice. */
export const MAX_DELIVERY_AGE_DAYS = 30

const COLLABORATORS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])
const isTrusted = ({ head, base, author_association: association }: Pull): boolean =>
  head.repo?.full_name === base.repo.full_name || COLLABORATORS.has(association)

/**
 * Links the issues that a pull request names, and closes those that it closes when it is merged into the default
 * branch. A pull request from a stranger's fork has no effect until it is merged, and never changes a state.
 */
export async function handlePull(
  ctx: Ctx,
  trx: Trx,
  hook: Hook,
  event: Static<typeof PullEvent>,
  texts: PullTexts
): Promise<void> {
  const { repository, pull_request: pull } = event
  if (!isOf(hook, repository) || !(isTrusted(pull) || pull.merged)) return
  const actor = await actorFor(ctx, trx, hook, pull.user?.login)
  const [closed, named] = [closedKeys(...texts.closing), namedKeys(pull.head.ref, ...texts.naming)]
  const issues = await lockNamed(ctx, trx, actor, [...closed, ...named])
  for (const id of idsOf([...closed, ...named], issues)) {
    await ctx.use.issues.linkGit(actor, trx, id, {
      url: pull.html_url,
      title: `#${pull.number} ${pull.title}`,
      kind: 'pull_request',
      state: pull.merged ? 'merged' : pull.state === 'closed' ? 'closed' : 'open',
      at: new Date(pull.updated_at)
    })
  }
  const isMerge = event.action === 'closed' && pull.merged && pull.base.ref === repository.default_branch
  const ageDays = (ctx.now().getTime() - Date.parse(pull.updated_at)) / 86_400_000
  if (isMerge && isTrusted(pull) && ageDays < MAX_DELIVERY_AGE_DAYS) {
    for (const id of idsOf(closed, issues)) await closeIssue(ctx, trx, actor, id, pull)
  }
}

async function closeIssue(ctx: Ctx, trx: Trx, actor: Actor, id: Id, pull: Pull): Promise<void> {
  const state = await closingState(trx, actor.workspaceId, id)
  if (state === undefined) return
  const title = pull.title.replaceAll(/[[\]\\<>`\p{Cc}]/gu, ' ')
  const { comments, issues } = ctx.use
  const link = `[#${pull.number} ${title}](${pull.html_url})`
  const problem = await issues.whyNotCompleted(actor, trx, id)
  if (problem !== undefined) {
    await comments.add(actor, trx, id, `${link} was merged, which would close this issue. ${problem}`)
    return
  }
  await comments.add(actor, trx, id, `Closed by ${link}, which was merged.`)
  await issues.change(actor, trx, id, { stateId: state.id })
}
