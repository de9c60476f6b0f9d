import { definePlugin } from '../../core/api/plugin.ts'
import { eventTypes } from '../../core/api/points.ts'
import { issueChanges, savedFilters } from '../issues/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { recordKinds } from '../transfer/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { favouriteKinds, viewEvents } from './contract.ts'
import { ownKinds } from './favourites.ts'
import { removeSubjects } from './queries/favourites.ts'
import { favouriteRoutes, viewRoutes } from './routes.ts'
import { viewRecords } from './transfer.ts'
import { savedFiltersOf } from './views.ts'

export default definePlugin(dependencies, {
  summary: 'Views: filters, order, grouping and layout under a name, for oneself or shared; favourites',
  tables: { savedView: 'workspace', favourite: 'workspace' },
  migrations: { '001_views': () => import('./migrations/001_views.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of viewEvents) ctx.contribute(eventTypes, type)
    for (const kind of ownKinds) ctx.contribute(favouriteKinds, kind)
    ctx.contribute(savedFilters, savedFiltersOf)
    ctx.contribute(issueChanges, {
      async purged({ workspaceId }, trx, issueIds) {
        await removeSubjects(trx, workspaceId, issueIds)
      }
    })
    ctx.contributeWith(recordKinds, ctx => [viewRecords(ctx)])
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url) })
  },
  routes(app, ctx) {
    viewRoutes(app, ctx)
    favouriteRoutes(app, ctx)
  }
})
