import type { RawBuilder } from 'kysely'
import type { Principal } from '../../core/api/contract.ts'
import { invalid } from '../../core/api/errors.ts'
import type { ReferenceField } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import { completionProofs, insightMeasures } from './contract.ts'
import { findReferred, type Measured } from './queries/measures.ts'
import { ownMeasures } from './queries/own-measures.ts'
import type { GROUPINGS } from './queries/selection.ts'
import { type Selection } from './queries/selection.ts'
import { categoriesOf, listStates, type Categories, type State } from './queries/states.ts'
import { spanOf } from './range.ts'

export interface SelectionQuery {
  team?: string
  project?: string
  from?: string
  to?: string
  by: (typeof GROUPINGS)[number]
}

/** A measure, ready to be read. */
export interface NamedMeasure extends Measured {
  name: string
  subsets: Readonly<Record<string, RawBuilder<boolean>>>
}

/** What a request asks for. */
export interface Request {
  selection: Selection
  days: [string, string]
  states: readonly State[]
  categories: Categories
  measures: readonly NamedMeasure[]
}

/** @throws 400 */
export async function readRequest(ctx: Ctx, principal: Principal, query: SelectionQuery): Promise<Request> {
  const { db, use } = ctx
  const { workspaceId } = principal
  const now = ctx.now()
  const { days, ...span } = spanOf(query, now)
  const [team, references, states] = await Promise.all([
    query.team === undefined ? undefined : use.workspace.teamNamed(principal, db, query.team),
    query.project === undefined ? [] : referenceTo(ctx, principal, 'project', query.project),
    listStates(db, workspaceId)
  ])
  const until = new Date(Math.min(span.to.getTime(), now.getTime() + 1))
  const selection = { workspaceId, teamId: team?.id, references, span, until, by: query.by }
  const categories = categoriesOf(states)
  return { selection, days, states, categories, measures: measuresOf(ctx, selection, categories) }
}

/** @throws 400 when there is no such thing, or the plugin is off that adds the field to issues */
async function referenceTo(ctx: Ctx, principal: Principal, key: string, ref: string) {
  const field = ctx.use.issues.references(principal).find((field: ReferenceField) => field.key === key)
  if (field === undefined || typeof field.source === 'string') {
    throw invalid(`Issues have no ${key} on this server: leave query.${key} out.`, { field: key })
  }
  const id = await findReferred(ctx.db, principal.workspaceId, field.source, ref)
  if (id === undefined) {
    throw invalid(`There is no ${key} '${ref}': query.${key} must be the id or the name of one.`, { field: key })
  }
  return [{ field, id }]
}

function measuresOf(ctx: Ctx, selection: Selection, categories: Categories): NamedMeasure[] {
  const own = ownMeasures(categories, ctx.contributions(completionProofs)[0]?.item)
  return [
    ...own.map(({ name, source, value, subsets = {} }) => ({
      ...{ name, source: source(selection), value, subsets },
      isOfIssues: true,
      hasOthers: false
    })),
    ...ctx.contributions(insightMeasures).map(({ item: { name, source, value, subsets = {}, hasOthers = false } }) => ({
      ...{ name, source: source(selection.workspaceId, selection.span), value, subsets },
      isOfIssues: false,
      hasOthers
    }))
  ]
}
