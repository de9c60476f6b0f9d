import { confinementRules } from '../../core/api/confinement.ts'
import type { App } from '../../core/api/plugin.ts'
import { issueRules } from './confinement.ts'
import { contextSections, noteWriters, readyReasons, rowSections } from './contract.ts'
import type { Ctx } from './context.ts'
import { makePageRows } from './queries/json.ts'
import { findIssue, makeReads } from './queries/read.ts'
import { bulkChangeRoute } from './routes/bulk-change.ts'
import { changeRoutes, stepRoutes } from './routes/change.ts'
import { claimRoutes, readyRoutes } from './routes/claims.ts'
import { createRoutes } from './routes/create.ts'
import { linkRoutes, relationRoutes } from './routes/parts.ts'
import { filterRoute, historyRoute, readRoutes } from './routes/read.ts'
import type { RouteContext } from './routes/answers.ts'
import { issueSchemas } from './schemas.ts'
import { allIssueFields } from './service.ts'

export function issueRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, issueRules(ctx.shortReads))
  const fields = allIssueFields(ctx)
  const sections = ctx.contributions(contextSections).map(({ item }) => item)
  const rows = ctx.contributions(rowSections).map(({ item }) => item)
  const routes: RouteContext = {
    ctx,
    fields,
    schemas: issueSchemas(fields, rows),
    pageRows: makePageRows(fields, rows),
    reads: makeReads(fields, sections, rows),
    find: (principal, ref) => findIssue(ctx.shortReads, principal.workspaceId, ref)
  }
  const reasons = ctx.contributions(readyReasons).map(({ item }) => item)
  readRoutes(app, routes)
  historyRoute(app, routes)
  createRoutes(app, routes)
  filterRoute(app, routes, reasons)
  readyRoutes(app, routes, reasons)
  claimRoutes(
    app,
    routes,
    ctx.contributions(noteWriters).map(({ item }) => item)
  )
  changeRoutes(app, routes)
  bulkChangeRoute(app, routes)
  stepRoutes(app, routes)
  relationRoutes(app, routes)
  linkRoutes(app, routes)
}
