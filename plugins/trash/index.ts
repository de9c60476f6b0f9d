import { job } from '../../core/api/contract.ts'
import { listWorkspaces } from '../../core/api/database/queries.ts'
import { eachSeparately } from '../../core/api/http.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { daysBefore } from '../../lib/util/days.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies, type Ctx } from './context.ts'
import { trash, trashKinds } from './contract.ts'
import { findStart } from './queries.ts'
import { trashRoutes } from './routes.ts'

const BATCH_SIZE = 100

const purgeOld = job<Record<string, never>>()(trash, 'purgeOld', { keyed: true })

export default definePlugin(dependencies, {
  summary: 'Trash: what was deleted is listed, can be restored, and is removed for good after some days',
  tables: { trashStart: 'workspace' },
  migrations: { '001_trash': () => import('./migrations/001_trash.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    ctx.work(purgeOld, {}, (_payloads, ctx) => purge(ctx))
    ctx.schedule(purgeOld, '25 2 * * *')
  },
  routes: trashRoutes
})

async function purge(ctx: Ctx): Promise<void> {
  const before = daysBefore(ctx.now(), ctx.settings.trashKeepDays)
  await eachSeparately(await listWorkspaces(ctx.db), async ({ id: workspaceId }) => {
    const start = await findStart(ctx.db, workspaceId)
    if (start !== undefined && start > before) return
    await eachSeparately(ctx.contributions(trashKinds), async ({ item: kind }) => {
      while ((await kind.purge(ctx.asServer(workspaceId), before, BATCH_SIZE)) === BATCH_SIZE);
    })
  })
}
