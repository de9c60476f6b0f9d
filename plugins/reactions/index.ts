import { definePlugin } from '../../core/api/plugin.ts'
import { eventTypes } from '../../core/api/points.ts'
import { commentChanges } from '../comments/contract.ts'
import { guideParts } from '../skills/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { reactionAdded, reactionRemoved } from './contract.ts'
import { removeOfComments } from './queries.ts'
import { reactionRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'Reactions to comments with one of six emoji',
  tables: { reaction: 'workspace' },
  migrations: { '001_reactions': () => import('./migrations/001_reactions.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of [reactionAdded, reactionRemoved]) ctx.contribute(eventTypes, type)
    ctx.contribute(guideParts, {
      path: 'working-tracker-issues/92-react-by-rest.md',
      text: '- `POST /v1/issue_comments/:id/reactions {"emoji": "THUMBS_UP"}` reacts to a note.\n'
    })
    ctx.contribute(commentChanges, async ({ workspaceId }, trx, { kind, comments }) => {
      if (kind !== 'purged') return
      const ids = comments.map(({ id }) => id)
      await removeOfComments(trx, workspaceId, ids)
    })
  },
  routes: reactionRoutes
})
