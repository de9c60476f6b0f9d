import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { invalid } from '../../../core/api/errors.ts'
import { newId } from '../../../core/api/database/queries.ts'
import { conversions, type RichText } from '../../../core/api/text.ts'
import type { Ctx, Trx } from '../context.ts'
import { issueCreated, issues, textOfIssue, type FiledText, type SimilarIssue } from '../contract.ts'
import { isDescribed, requireDescription } from './description.ts'
import type { Filing, ResolvedDrafts } from './drafts.ts'
import type { Field } from '../fields/field.ts'
import { ownFields } from '../fields/fields.ts'
import { assertThere, lockGraph } from '../queries/write/locks.ts'
import type { ResolvedReferences, State, TeamWithStates } from '../queries/read/lookup.ts'
import { insertIssues, takeNumbers, type IssueRow } from '../queries/write/insert.ts'
import { afterCompletion, afterFiling, afterMoves } from './participants.ts'
import { lockRelated, recordRelations, relationsOf } from './relations.ts'
import type { Draft } from '../schemas.ts'
import { assertMaySet, linksIn, referenceIn, givenReference, stateOf, valueIn } from './values.ts'

/** An issue of a request; the parent comes before its sub-issues. */
interface Planned {
  draft: Draft
  team: TeamWithStates
  state: State
  id: Id
  parentId: Id | null
  /** The path in the request, for errors. */
  at: string
  requireCriteria: boolean
}

const MAX_ISSUES_PER_REQUEST = 1000

export interface Created {
  id: Id
  json: string
  similar: readonly SimilarIssue[]
}

type Unnumbered = Omit<IssueRow, 'number' | 'key'>

const filedText = ({ draft }: Planned, { descriptionMarkdown, values, linked }: Unnumbered, at: Date): FiledText => ({
  title: draft.title,
  descriptionMarkdown,
  createdAt: at,
  labelIds: linked['labels'] ?? [],
  values
})

interface CreateOptions {
  raw: boolean
  /** For a single issue, whose similar ones are searched for: resolves after its commit. */
  committed?: Promise<unknown>
}

/**
 * Creates issues with their sub-issues, all or none.
 * @returns the issues asked for (not their sub-issues), in their order
 * @throws ApiError 400, 404 or 413, naming the field
 */
export async function createIssues(
  filing: Filing,
  principal: Principal,
  { drafts, references, resolved, where }: ResolvedDrafts,
  { raw, committed }: CreateOptions
): Promise<Created[]> {
  const { ctx, fields, settable, similar, statistics } = filing
  const { workspaceId } = principal
  const planned: Planned[] = []
  drafts.forEach((draft, n) => {
    const parent = referenceIn(ownFields.parent, draft, resolved)
    plan(planned, resolved, draft, undefined, parent?.id ?? null, where(n))
  })
  if (planned.length > MAX_ISSUES_PER_REQUEST) {
    throw invalid(`A request can create at most ${MAX_ISSUES_PER_REQUEST} issues, sub-issues included.`)
  }
  for (const { draft } of planned) assertMaySet(principal, settable, draft)
  const at = ctx.now()
  const contents = await withTexts(planned)
  const unnumbered = contents.map(issue => rowOf(issue, settable, resolved, at))
  // Runs in parallel with what follows, which must neither wait for it nor fail with it.
  const search = committed && similar.begin(principal, filedText(contents[0]!, unnumbered[0]!, at))
  const numbers = await numbersFor(ctx, workspaceId, planned)
  const rows = unnumbered.map((row, n) => ({ ...row, ...numbers.next(contents[n]!.team) }))

  await ctx.transaction(async trx => {
    // No edge leads to a new issue yet: neither its parent nor its relations can close a circle.
    if (references.issues.size > 0) {
      await lockGraph(trx, workspaceId, 'shared')
      const ids = [...references.issues.keys()].map(ref => resolved.issue(ref).id)
      await assertThere(trx, workspaceId, ids)
      await lockRelated(trx, workspaceId, rows)
    }
    const occurrences = rows.map(({ id, key }, n) => {
      const { team, state, parentId, draft } = contents[n]!
      const assigneeId = referenceIn(ownFields.assignee, draft, resolved, { team })?.id ?? null
      const data = { title: draft.title, teamId: team.id, stateId: state.id, assigneeId, parentId }
      return { subjectId: id, subjectKey: key, parentId: id, rev: 1, data }
    })
    const eventSql = await ctx.use.eventLog.emitting(issues, trx, issueCreated, principal, occurrences)
    await insertIssues(trx, workspaceId, principal.accountId, at, rows, settable, eventSql)
    await ctx.use.texts.written(
      principal,
      trx,
      rows.map(({ id, descriptionMarkdown }) => textOfIssue(id, descriptionMarkdown))
    )
    await recordRelations(filing, trx, principal, rows)
    const begun = rows.filter((row, n) => isBegun(contents[n]!, row)).map(({ id }) => id)
    await notifyParticipants(ctx, trx, principal, at, contents)
    await afterMoves(ctx, principal, trx, begun)
  })
  statistics.note(workspaceId, rows.length)
  const similarIssues = committed && search ? await search.resultFor(rows[0]!.id, committed) : []
  return contents.flatMap((issue, n) =>
    drafts.includes(issue.draft)
      ? [{ id: issue.id, json: answerJson(rows[n]!, issue, principal, at, fields, raw), similar: similarIssues }]
      : []
  )
}

const isBegun = ({ state }: Planned, { values }: IssueRow) =>
  state.category === 'STARTED' && values['assignee_id'] !== null

/** @throws 409 for those that are filed as completed */
async function notifyParticipants(
  ctx: Ctx,
  trx: Trx,
  principal: Principal,
  at: Date,
  issues: ReadonlyArray<Planned & { text: RichText | undefined }>
): Promise<void> {
  const filed = issues.map(({ id, team, text }) => ({
    issueId: id,
    teamId: team.id,
    items: text?.criteria.items ?? []
  }))
  await afterFiling(ctx, principal, trx, filed)
  const completed = issues.filter(({ state }) => state.category === 'COMPLETED').map(({ id }) => id)
  if (completed.length > 0) await afterCompletion(ctx, principal, trx, completed, { at, override: false })
}

async function withTexts(planned: readonly Planned[]): Promise<Array<Planned & { text: RichText | undefined }>> {
  const texts = await conversions.read(
    planned.map(({ draft }) => ({
      raw: draft.description,
      markdown: draft.descriptionMarkdown,
      field: 'description',
      criteria: draft.acceptanceCriteria
    }))
  )
  return planned.map((issue, n) => {
    if (issue.requireCriteria) requireDescription(texts[n], issue.draft.title, issue.parentId !== null, issue.at)
    return { ...issue, text: texts[n] }
  })
}

function rowOf(
  { draft, team, state, id, parentId, text, at: where }: Planned & { text: RichText | undefined },
  fields: readonly Field[],
  resolved: ResolvedReferences,
  at: Date
): Unnumbered {
  const values: Record<string, unknown> = {}
  const linked: Record<string, Id[]> = {}
  for (const field of fields) {
    if (field.kind === 'links') {
      linked[field.key] = [...new Set(linksIn(field, draft, resolved).all?.map(thing => thing.id))].sort()
    } else if (field.kind === 'value') {
      values[field.column] = valueIn(field, draft, where) ?? field.initial?.(at) ?? null
    } else {
      values[field.column] = referenceIn(field, draft, resolved, { team, at: where })?.id ?? null
    }
  }
  const decided = { team_id: team.id, state_id: state.id, parent_id: parentId }
  return {
    id,
    description: text?.json ?? null,
    descriptionMarkdown: text?.markdown ?? '',
    described: isDescribed(text, draft.title),
    isCompleted: state.category === 'COMPLETED',
    criteriaMet: text?.criteria.met ?? 0,
    criteriaTotal: text?.criteria.total ?? 0,
    values: { ...values, ...decided },
    linked,
    relations: relationsOf(draft, id, resolved),
    links: (draft.links ?? []).map(link => ({ id: newId(), ...link }))
  }
}

function plan(
  planned: Planned[],
  resolved: ResolvedReferences,
  draft: Draft,
  parentTeam: TeamWithStates | undefined,
  parentId: Id | null,
  at: string,
  requireCriteria = draft.requireCriteria ?? false
): void {
  const teamRef = givenReference(ownFields.team, draft)?.value
  const team = teamRef == null ? parentTeam! : resolved.team(teamRef)
  const state = stateIn(team, draft, at)
  if (!state) throw invalid(`The team ${team.identifier} has no workflow states: add one first.`)
  const id = newId()
  planned.push({ draft, team, state, id, parentId, at, requireCriteria })
  draft.subIssues?.forEach((part, n) =>
    plan(planned, resolved, part, team, id, `${at}subIssues.${n}.`, requireCriteria)
  )
}

/** Default: the first UNSTARTED one, or the first of all. @throws 400 */
function stateIn(team: TeamWithStates, draft: Draft, at: string): State | undefined {
  const stateRef = givenReference(ownFields.state, draft)
  if (stateRef?.value != null) return stateOf(team, { ...stateRef, value: stateRef.value }, { at })
  return team.states.find(({ category }) => category === 'UNSTARTED') ?? team.states[0]
}

async function numbersFor(ctx: Ctx, workspaceId: Id, planned: readonly Planned[]) {
  const counts = new Map<Id, number>()
  for (const { team } of planned) counts.set(team.id, (counts.get(team.id) ?? 0) + 1)
  const next = new Map<Id, number>()
  for (const [teamId, n] of counts) next.set(teamId, (await takeNumbers(ctx.db, workspaceId, teamId, n)) - n + 1)
  return {
    next({ id, identifier }: TeamWithStates) {
      const number = next.get(id)!
      next.set(id, number + 1)
      return { number, key: `${identifier}-${number}` }
    }
  }
}

function answerJson(
  row: IssueRow,
  { state }: Planned,
  principal: Principal,
  at: Date,
  fields: readonly Field[],
  raw: boolean
): string {
  const time = at.toISOString()
  const ownValues: Record<string, unknown> = {
    number: row.number,
    createdById: principal.accountId,
    updatedById: principal.accountId,
    createdAt: time,
    updatedAt: time,
    completedAt: state.category === 'COMPLETED' ? time : null
  }
  const values = fields
    .filter(({ views }) => views.includes('full'))
    .map(field => [
      field.property,
      ownValues[field.property] ?? (field.kind === 'links' ? row.linked[field.key] : row.values[field.column]) ?? null
    ])
  const json = JSON.stringify({
    id: row.id,
    key: row.key,
    stateCategory: state.category,
    descriptionMarkdown: row.descriptionMarkdown,
    ...Object.fromEntries(values),
    rev: 1
  })
  return raw ? `${json.slice(0, -1)},"description":${row.description}}` : json
}
