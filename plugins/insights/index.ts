import { job } from '../../core/api/contract.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { issueCreated, issueDeleted, issueUpdated } from '../issues/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { stateCreated, stateUpdated } from '../workspace/contract.ts'
import { dependencies } from './context.ts'
import { insights } from './contract.ts'
import { insightRoutes } from './routes.ts'
import { findProofs, handleChanges, rebuild, STEPS } from './steps.ts'

const findMissingProofs = job<Record<string, never>>()(insights, 'findProofs', { keyed: true })

export default definePlugin(dependencies, {
  summary: 'Insights: how work goes, from the history of issues, by week, person, agent and label',
  tables: { insightStep: 'workspace' },
  migrations: { '001_steps': () => import('./migrations/001_steps.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    ctx.consume(STEPS, {
      events: [issueCreated, issueUpdated, issueDeleted, stateCreated, stateUpdated],
      batch: 1000,
      debounceMs: 250,
      onGap: { rebuild },
      handle: handleChanges
    })
    ctx.work(findMissingProofs, {}, (_payloads, ctx) => findProofs(ctx))
    ctx.onStart(ctx => ctx.enqueue('now', findMissingProofs, [{}], { key: 'all' }))
  },
  routes: insightRoutes
})
