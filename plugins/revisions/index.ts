import { definePlugin } from '../../core/api/plugin.ts'
import { commentChanges, commentEdits } from '../comments/contract.ts'
import { issueChanges } from '../issues/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { keepText, removeOfComments, removeOfIssues } from './queries.ts'
import { revisionRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'Former texts of descriptions and comments: who edited them, when, and what was changed',
  tables: { textRevision: 'workspace' },
  migrations: { '001_revisions': () => import('./migrations/001_revisions.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    ctx.contributeWith(issueChanges, ({ now }) => [
      {
        async describe({ workspaceId, accountId }, trx, id, { isNewText }) {
          if (isNewText) await keepText(trx, workspaceId, { type: 'issue', id }, { accountId, at: now() })
          return undefined
        },
        async purged({ workspaceId }, trx, issueIds) {
          await removeOfIssues(trx, workspaceId, issueIds)
        }
      }
    ])
    ctx.contributeWith(commentEdits, ({ now }) => [
      ({ workspaceId, accountId }, trx, { id, bodyMarkdown }) =>
        keepText(trx, workspaceId, { type: 'comment', id }, { accountId, at: now() }, bodyMarkdown)
    ])
    ctx.contribute(commentChanges, async ({ workspaceId }, trx, { kind, comments }) => {
      if (kind !== 'purged') return
      const ids = comments.map(({ id }) => id)
      await removeOfComments(trx, workspaceId, ids)
    })
  },
  routes: revisionRoutes
})
