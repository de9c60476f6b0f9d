import { daysBefore } from '../../lib/util/days.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { commands, eventTypes, problems } from '../../core/api/points.ts'
import { commitHookCommand } from './commit-hook.ts'
import { dependencies } from './context.ts'
import { badSignature, forgetDeliveries, gitEvents } from './contract.ts'
import { deliveryRoutes } from './deliveries.ts'
import { MAX_DELIVERY_AGE_DAYS } from './pulls/pulls.ts'
import { removeDeliveries } from './queries.ts'
import { hookRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'Pushes and pull requests of GitHub link the issues that they name, and close them when they are merged',
  tables: { gitHook: 'workspace', gitDelivery: 'workspace' },
  migrations: { '001_git': () => import('./migrations/001_git.ts') },
  register(ctx) {
    ctx.contribute(commands, commitHookCommand)
    ctx.contribute(problems, badSignature)
    for (const type of gitEvents) ctx.contribute(eventTypes, type)
    ctx.work(forgetDeliveries, {}, async (_payloads, { db, now }) => {
      await removeDeliveries(db, daysBefore(now(), MAX_DELIVERY_AGE_DAYS))
    })
    ctx.schedule(forgetDeliveries, '17 * * * *')
  },
  async routes(app, ctx) {
    hookRoutes(app, ctx)
    // Its bodies are bytes, because signatures are over bytes.
    await app.register(async app => deliveryRoutes(app, ctx))
  }
})
