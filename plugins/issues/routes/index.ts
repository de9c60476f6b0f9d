import { confinementRules } from '../../../core/api/confinement.ts'
import type { App } from '../../../core/api/plugin.ts'
import { issueRules } from './confinement.ts'
import { contextSections, noteWriters, readyReasons, rowSections } from '../contract.ts'
import type { Ctx } from '../context.ts'
import { makePageRows } from '../queries/read/json.ts'
import { findIssue, makeReads } from '../queries/read/read.ts'
import { bulkChangeRoute } from './bulk-change.ts'
import { changeRoutes, stepRoutes } from './change.ts'
import { claimRoutes, readyRoutes } from './claims.ts'
import { createRoutes } from './create.ts'
import { linkRoutes, relationRoutes } from './parts.ts'
import { filterRoute, historyRoute, readRoutes } from './read.ts'
import type { RouteContext } from './answers.ts'
import { issueSchemas } from '../schemas.ts'
import { takesEvidence } from '../write/participants.ts'
import { allIssueFields } from '../service.ts'

export function issueRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, issueRules(ctx.shortReads))
  const fields = allIssueFields(ctx)
  const sections = ctx.contributions(contextSections).map(({ item }) => item)
  const rows = ctx.contributions(rowSections).map(({ item }) => item)
  const routes: RouteContext = {
    ctx,
    fields,
    schemas: issueSchemas(fields, rows, takesEvidence(ctx)),
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
