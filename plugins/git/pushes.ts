import { Type, type Static } from 'typebox'
import { actorFor, idsOf, isOf, lockNamed, Url, When, type Hook } from './acting.ts'
import type { Ctx, Trx } from './context.ts'
import { namedKeys } from './keys.ts'

export const PushEvent = Type.Object({
  ref: Type.String(),
  repository: Type.Object({ full_name: Type.String(), default_branch: Type.String(), html_url: Type.String() }),
  commits: Type.Array(Type.Object({ url: Url, message: Type.String(), timestamp: When })),
  sender: Type.Object({ login: Type.String() })
})

const BRANCH = 'refs/heads/'

/** Links the issues that a commit or its branch names. Only merged pull requests close issues. */
export async function handlePush(ctx: Ctx, trx: Trx, hook: Hook, push: Static<typeof PushEvent>): Promise<void> {
  const { ref, repository, sender } = push
  if (!ref.startsWith(BRANCH) || !isOf(hook, repository)) return
  const branch = ref.slice(BRANCH.length)
  const commits = push.commits.map(commit => ({ ...commit, keys: namedKeys(branch, commit.message) }))
  const actor = await actorFor(ctx, trx, hook, sender.login)
  const issues = await lockNamed(
    ctx,
    trx,
    actor,
    commits.flatMap(({ keys }) => keys)
  )
  for (const { url, message, timestamp, keys } of commits) {
    for (const id of idsOf(keys, issues)) {
      await ctx.use.issues.linkGit(actor, trx, id, {
        url,
        title: message,
        kind: 'commit',
        state: branch === repository.default_branch ? 'merged' : 'open',
        at: new Date(timestamp)
      })
    }
  }
}
