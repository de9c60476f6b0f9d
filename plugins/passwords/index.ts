import { definePlugin } from '../../core/api/plugin.ts'
import { commands, eventTypes, loginMethods, problems } from '../../core/api/points.ts'
import { uiParts } from '../ui/contract.ts'
import { passwordCommand } from './commands.ts'
import { dependencies } from './context.ts'
import {
  forgetFailures,
  hasPassword,
  passwordChanged,
  severalWorkspaces,
  tooManyAttempts,
  wrongPassword
} from './contract.ts'
import { purgeFailures } from './delays.ts'
import { findHash } from './queries/passwords.ts'
import { passwordRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'Signing in with a password',
  tables: { password: 'workspace', signInFailure: 'local' },
  migrations: {
    '001_passwords': () => import('./migrations/001_passwords.ts'),
    '002_delays': () => import('./migrations/002_delays.ts')
  },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const problem of [wrongPassword, severalWorkspaces, hasPassword, tooManyAttempts]) {
      ctx.contribute(problems, problem)
    }
    ctx.contribute(eventTypes, passwordChanged)
    ctx.contribute(loginMethods, { isSetUp: async (db, account) => (await findHash(db, account)) !== undefined })
    ctx.contributeWith(commands, ctx => [passwordCommand(ctx)])
    ctx.work(forgetFailures, {}, async (_payloads, ctx) => purgeFailures(ctx))
    ctx.schedule(forgetFailures, '11 * * * *')
  },
  routes: passwordRoutes
})
