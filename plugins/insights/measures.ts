import type { RawBuilder } from 'kysely'
import type { Principal } from '../../core/api/contract.ts'
import { isId } from '../../core/api/database/queries.ts'
import { invalid } from '../../core/api/errors.ts'
import type { ReferenceField } from '../issues/contract.ts'
import type { TeamState } from '../workspace/contract.ts'
import type { Ctx } from './context.ts'
import { completionProofs, insightMeasures } from './contract.ts'
import { findReferred, listLabels, type Measured } from './queries/measures.ts'
import { ownMeasures } from './queries/own-measures.ts'
import type { Grouping, Selection } from './queries/selection.ts'
import { endOfWeek, spanOf } from './range.ts'

/** `group` of rows that are in no group. */
const NONE = 'none'

interface SelectionQuery {
  team?: string
  project?: string
  from?: string
  to?: string
  by: Grouping
  /** The only group whose issues are listed. */
  group?: string
}

interface NamedMeasure extends Measured {
  name: string
  subsets: Readonly<Record<string, RawBuilder<boolean>>>
}

export interface Request {
  selection: Selection
  /** Undefined: all; null: rows in no group. */
  group: string | null | undefined
  days: [string, string]
  states: readonly TeamState[]
  measures: readonly NamedMeasure[]
}

/** @throws 400 */
export async function readRequest(ctx: Ctx, principal: Principal, query: SelectionQuery): Promise<Request> {
  const { db, use } = ctx
  const { workspaceId } = principal
  const now = ctx.now()
  const { days, ...span } = spanOf(query, now)
  const group = query.group === undefined ? undefined : groupNamed(query.group, query.by)
  const [team, references, states, labelIds] = await Promise.all([
    query.team === undefined ? undefined : use.workspace.teamNamed(principal, db, query.team),
    query.project === undefined ? [] : referenceTo(ctx, principal, 'project', query.project),
    use.workspace.allStates(principal, db),
    query.by === 'label' ? listLabels(db, workspaceId) : []
  ])
  const end = query.by === 'week' && group ? endOfWeek(group, span) : span.to
  const until = new Date(Math.min(end.getTime(), now.getTime() + 1))
  const selection = { workspaceId, teamId: team?.id, references, span, until, by: query.by, labelIds }
  return { selection, group, days, states, measures: measuresOf(ctx, selection) }
}

/** @throws 400 */
function groupNamed(group: string, by: Grouping): string | null {
  if (group === NONE) return null
  const isKnown = by === 'week' ? /^\d{4}-\d\d-\d\d$/.test(group) : isId(group)
  if (isKnown) return group.toLowerCase()
  const look = by === 'week' ? 'a Monday, such as 2026-11-23' : `a UUID, or ${NONE}`
  throw invalid(`query.group must be the id of a group; by=${by} has ${look}.`, { field: 'group' })
}

/** @throws 400 when it does not exist, or the plugin that adds the field is off */
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

function measuresOf(ctx: Ctx, selection: Selection): NamedMeasure[] {
  return [
    ...ownMeasures(ctx.contributions(completionProofs).length > 0).map(({ source, subsets = {}, ...measure }) => ({
      ...{ ...measure, source: source(selection), subsets },
      isSelected: true,
      hasOthers: false
    })),
    ...ctx.contributions(insightMeasures).map(({ item: { name, source, value, subsets = {}, hasOthers = false } }) => ({
      ...{ name, source: source(selection.workspaceId, selection.span), value, subsets },
      isSelected: false,
      isOfIssues: false,
      hasOthers
    }))
  ]
}
