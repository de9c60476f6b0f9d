import { activityRoute } from './activity.ts'
import { confinementRules } from '../../../core/api/confinement.ts'
import type { App } from '../../../core/api/plugin.ts'
import { issueRules } from './confinement.ts'
import { issueFilters, savedFilters } from '../contract.ts'
import type { Ctx } from '../context.ts'
import { filterNames } from '../queries/filter/filter.ts'
import { makePageRows } from '../queries/read/json.ts'
import { findIssue } from '../queries/read/read.ts'
import { bulkChangeRoute } from './bulk-change.ts'
import { changeRoutes, stepRoutes } from './change.ts'
import { createRoutes } from './create.ts'
import { linkRoutes, relationRoutes } from './parts.ts'
import { contextRoute } from './context.ts'
import { filterRoute, historyRoute, readRoutes } from './read.ts'
import { readyRoutes, releaseRoute } from './ready.ts'
import type { RouteContext } from './answers.ts'
import { issueSchemas } from '../schemas.ts'
import { trashRoutes } from './trash.ts'
import { draftSourceOf } from '../write/drafts.ts'
import { changePartsOf } from '../write/participants.ts'
import { issueParts } from '../service.ts'

export function issueRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, issueRules(ctx.db))
  const parts = ctx.get(issueParts)
  const { fields, sections, rows } = parts
  const filterParts = {
    names: filterNames(
      fields,
      ctx.contributions(issueFilters).map(({ item }) => item)
    ),
    hasSavedFilters: ctx.contributions(savedFilters).length > 0
  }
  const routes: RouteContext = {
    ctx,
    ...parts,
    schemas: issueSchemas(fields, rows, sections, changePartsOf(ctx), filterParts, draftSourceOf(ctx)),
    pageRows: makePageRows(fields, rows),
    find: (principal, ref) => findIssue(ctx.db, principal.workspaceId, ref)
  }
  readRoutes(app, routes)
  contextRoute(app, routes)
  historyRoute(app, routes)
  activityRoute(app, routes)
  createRoutes(app, routes)
  filterRoute(app, routes)
  readyRoutes(app, routes)
  releaseRoute(app, routes)
  changeRoutes(app, routes)
  bulkChangeRoute(app, routes)
  trashRoutes(app, routes)
  stepRoutes(app, routes)
  relationRoutes(app, routes)
  linkRoutes(app, routes)
}
