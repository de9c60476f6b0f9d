import { confinementRules } from '../../core/api/confinement.ts'
import { AccountNames, isWellFormedToken } from '../../core/api/accounts.ts'
import { notFound } from '../../core/api/errors.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { commands, eventTypes } from '../../core/api/points.ts'
import { recordKinds } from '../transfer/contract.ts'
import { trashKinds } from '../trash/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { addWorkspace, printFirstToken, start } from './bootstrap.ts'
import { tokenCommand, workspaceCommands } from './commands.ts'
import { dependencies } from './context.ts'
import * as contract from './contract.ts'
import { findTeam, labelsNamed, listAllStates, lockTeam, teamIds, teamNamed } from './queries/teams.ts'
import { removeWorkspace } from './removal.ts'
import { accessTokenRoutes, addPerson, peopleRoutes } from './routes/people.ts'
import { labelRoutes } from './routes/labels.ts'
import { labelTrash } from './routes/label-trash.ts'
import { directoryRoute, teamRoutes, workflowRoutes } from './routes/teams.ts'
import { labelEvent } from './schemas.ts'
import { labelRecords, teamRecords } from './transfer.ts'

const DIRECTORY_RULES = Object.fromEntries(
  ['users/me', 'users', 'workspace', 'teams', 'teams/:teamId', ':teamId/workflows', 'labels', 'labels/:id'].map(
    path => [`GET /v1/${path}`, { allows: 'all, because issues and tools name them' }]
  )
)

export default definePlugin(dependencies, {
  summary: 'Workspaces, people and their tokens, teams, workflow states, labels',
  env: { TRACKER_WORKSPACE: 'name', TRACKER_ADMIN_EMAIL: 'adminEmail', TRACKER_ADMIN_TOKEN: 'adminToken' },
  tables: { team: 'workspace', workflowState: 'workspace', label: 'workspace' },
  migrations: {
    '001_teams': () => import('./migrations/001_teams.ts'),
    '002_closing': () => import('./migrations/002_closing.ts'),
    '003_trash': () => import('./migrations/003_trash.ts')
  },
  register(ctx) {
    if (ctx.settings.adminToken !== undefined && !isWellFormedToken(ctx.settings.adminToken)) {
      throw new Error(
        'adminToken (TRACKER_ADMIN_TOKEN) is not a well-formed token: leave it out, and the first start makes one'
      )
    }
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of [
      contract.workspaceCreated,
      contract.teamCreated,
      contract.teamUpdated,
      contract.teamDeleted,
      contract.stateCreated,
      contract.stateUpdated,
      contract.stateDeleted,
      contract.labelCreated,
      contract.labelUpdated,
      contract.labelDeleted
    ]) {
      ctx.contribute(eventTypes, type)
    }
    ctx.contributeWith(commands, ctx => [tokenCommand(ctx), ...workspaceCommands(ctx)])
    ctx.contributeWith(trashKinds, ctx => [labelTrash(ctx)])
    ctx.contributeWith(recordKinds, ctx => [teamRecords(ctx), labelRecords(ctx)])
    ctx.onStart(start)
    ctx.onListen(printFirstToken)
  },
  services: ctx => ({
    add: (caller, trx, named) => addWorkspace(ctx, caller, trx, named),
    remove: caller => removeWorkspace(ctx, caller, () => {}),
    async addPerson(caller, trx, { email, fullname }) {
      const names = await AccountNames.lock(trx, caller.workspaceId)
      const free = names.free(fullname, { isAdmin: false })
      const { id } = await addPerson(ctx, trx, caller, { email, fullname: free, role: 'MEMBER' })
      return id
    },
    findTeam: ({ workspaceId }, db, ref) => findTeam(db, workspaceId, ref),
    async lockTeam({ workspaceId }, trx, id) {
      if (!(await lockTeam(trx, workspaceId, id))) throw notFound('team', id)
    },
    teamNamed: ({ workspaceId }, db, ref) => teamNamed(db, workspaceId, ref),
    teamIds: ({ workspaceId }, db) => teamIds(db, workspaceId),
    allStates: ({ workspaceId }, db) => listAllStates(db, workspaceId),
    async labelsNamed(caller, trx, names, at) {
      const { ids, created } = await labelsNamed(trx, caller.workspaceId, names, at)
      await ctx.emit(trx, contract.labelCreated, caller, created.map(labelEvent))
      return ids
    }
  }),
  routes(app, ctx) {
    confinementRules(app, DIRECTORY_RULES)
    peopleRoutes(app, ctx)
    accessTokenRoutes(app, ctx)
    directoryRoute(app, ctx)
    teamRoutes(app, ctx)
    workflowRoutes(app, ctx)
    labelRoutes(app, ctx)
  }
})
