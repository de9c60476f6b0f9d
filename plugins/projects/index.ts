import { definePlugin } from '../../core/api/plugin.ts'
import { eventTypes } from '../../core/api/points.ts'
import { fileSubjects, fileTexts } from '../files/contract.ts'
import { contextSections, issueFields } from '../issues/contract.ts'
import { mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { recordKinds } from '../transfer/contract.ts'
import { trashKinds } from '../trash/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { favouriteKinds } from '../views/contract.ts'
import { teamFields } from '../workspace/contract.ts'
import { activityRoute } from './activity/route.ts'
import { dependencies } from './context.ts'
import { projectEvents } from './contract.ts'
import { carryOn, carryOver, turnAll, turnCycles } from './cycles/close.ts'
import { cycleRecords, ruleRecords } from './cycles/records.ts'
import { cycleRoutes } from './cycles/routes.ts'
import { cyclesOfTeam } from './cycles/rule.ts'
import { fields } from './fields.ts'
import { milestoneRoutes } from './milestones/routes.ts'
import { progressRoute } from './progress.ts'
import { nameCycles } from './cycles/queries.ts'
import { milestoneOfIssue } from './queries/milestones.ts'
import { namedProjects, nameProjects, textsOfProjects } from './queries/projects.ts'
import { projectRoutes } from './routes.ts'
import { ContextMilestone } from './schemas.ts'
import { tools } from './tools.ts'
import { projectRecords } from './transfer.ts'
import { milestoneRecords } from './milestones/records.ts'
import { updateRecords } from './updates/records.ts'
import { projectTrash } from './trash.ts'
import { updateRoutes } from './updates/routes.ts'

export default definePlugin(dependencies, {
  summary: 'Projects and cycles, and the fields of issues that name them',
  tables: {
    project: 'workspace',
    milestone: 'workspace',
    projectUpdate: 'workspace',
    cycle: 'workspace',
    cycleRule: 'workspace'
  },
  migrations: {
    '001_projects': () => import('./migrations/001_projects.ts'),
    '002_description_bytes': () => import('./migrations/002_description_bytes.ts'),
    '003_project_tally': () => import('./migrations/003_project_tally.ts'),
    '004_trash': () => import('./migrations/004_trash.ts'),
    '005_planning': () => import('./migrations/005_planning.ts'),
    '006_cycles': () => import('./migrations/006_cycles.ts'),
    '007_activity': () => import('./migrations/007_activity.ts')
  },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of projectEvents) ctx.contribute(eventTypes, type)
    ctx.contribute(fileTexts, textsOfProjects)
    ctx.contributeWith(fileSubjects, ctx => [
      {
        type: 'project',
        isReadable: async ({ workspaceId }, id) => (await nameProjects(ctx.db, workspaceId, [id])).length > 0,
        named: namedProjects
      }
    ])
    for (const field of fields) ctx.contribute(issueFields, field)
    ctx.contributeWith(teamFields, ctx => [cyclesOfTeam(ctx)])
    ctx.work(turnCycles, {}, (_payloads, ctx) => turnAll(ctx))
    ctx.schedule(turnCycles, '*/5 * * * *')
    ctx.work(carryOver, {}, async (payloads, ctx) => {
      for (const cycle of payloads) await carryOn(ctx, cycle)
    })
    ctx.contribute(contextSections, {
      name: 'milestone',
      schema: ContextMilestone,
      json: milestoneOfIssue,
      isOptional: true
    })
    ctx.contribute(favouriteKinds, {
      type: 'project',
      find: ({ workspaceId }, db, ids) => nameProjects(db, workspaceId, ids)
    })
    ctx.contribute(favouriteKinds, {
      type: 'cycle',
      find: ({ workspaceId }, db, ids) => nameCycles(db, workspaceId, ids)
    })
    ctx.contributeWith(trashKinds, ctx => [projectTrash(ctx)])
    ctx.contributeWith(recordKinds, ctx => [
      projectRecords(ctx),
      milestoneRecords(ctx),
      updateRecords(ctx),
      cycleRecords(ctx),
      ruleRecords(ctx)
    ])
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url) })
  },
  routes(app, ctx) {
    projectRoutes(app, ctx)
    progressRoute(app, ctx)
    activityRoute(app, ctx)
    milestoneRoutes(app, ctx)
    updateRoutes(app, ctx)
    cycleRoutes(app, ctx)
  }
})
