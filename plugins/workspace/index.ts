import { Type, type Static } from 'typebox'
import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { commands } from '../../core/points.ts'
import { Line } from '../../core/schemas.ts'
import { isWellFormedToken } from '../../core/tokens.ts'
import { bootstrap, makeFirstToken, welcome } from './bootstrap.ts'
import { tokenCommand } from './commands.ts'
import { recordKinds } from '../transfer/contract.ts'
import { workspace } from './contract.ts'
import { findTeam, labelsNamed } from './queries/teams.ts'
import { accessTokenRoutes, peopleRoutes } from './routes/people.ts'
import { labelRoutes, teamRoutes, workflowRoutes } from './routes/teams.ts'
import { labelRecords, teamRecords } from './transfer.ts'

const config = Type.Object({
  name: Line(100, { default: 'Tracker', description: 'The name of the workspace that the first start makes.' }),
  adminEmail: Type.String({
    default: 'admin@localhost',
    minLength: 3,
    maxLength: 320,
    description: 'The e-mail address of its administrator.'
  }),
  adminToken: Type.Optional(
    Type.String({ description: 'The administrator’s token, instead of one that is made and shown.' })
  )
})
export type Ctx = ContextOf<typeof workspace, [], [], Static<typeof config>>

export default definePlugin({
  contract: workspace,
  summary: 'Workspaces, people and their tokens, teams, workflow states, labels',
  config,
  env: { TRACKER_WORKSPACE: 'name', TRACKER_ADMIN_EMAIL: 'adminEmail', TRACKER_ADMIN_TOKEN: 'adminToken' },
  migrations: async () => ({ '001_teams': await import('./migrations/001_teams.ts') }),
  register(ctx) {
    if (ctx.config.adminToken !== undefined && !isWellFormedToken(ctx.config.adminToken)) {
      throw new Error(
        'adminToken (TRACKER_ADMIN_TOKEN) is not a well-formed token: leave it out, and the first start makes one'
      )
    }
    ctx.contribute(commands, tokenCommand(ctx))
    for (const records of [teamRecords(ctx), labelRecords]) ctx.contribute(recordKinds, records)
    return { findTeam, labelsNamed }
  },
  routes(app, ctx) {
    const { adminToken } = ctx.config
    ctx.onStart(async () => {
      await bootstrap(ctx)
      if (adminToken !== undefined) await makeFirstToken(ctx, adminToken)
    })
    app.addHook('onListen', async () => {
      const token = adminToken === undefined ? await makeFirstToken(ctx) : undefined
      if (token !== undefined) process.stdout.write(welcome(ctx.origin(), token))
    })
    peopleRoutes(app, ctx)
    accessTokenRoutes(app, ctx)
    teamRoutes(app, ctx)
    workflowRoutes(app, ctx)
    labelRoutes(app, ctx)
  }
})
