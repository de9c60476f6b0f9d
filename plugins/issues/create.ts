import type { Principal } from '../../core/contract.ts'
import { requestTransaction } from '../../core/db/request-transaction.ts'
import type { Id } from '../../core/db/tables.ts'
import { invalid } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { conversions, type RichText } from '../../core/text/conversions.ts'
import { keepClaims } from './claims/keep.ts'
import type { Trx, Writer } from './changes.ts'
import type { Ctx } from './context.ts'
import {
  issueCreated,
  type FiledText,
  type RelationType,
  type SimilarIssue,
  type StoredRelationType
} from './contract.ts'
import { isDescribed, requireDescription } from './description.ts'
import type { Field } from './field.ts'
import { ownFields } from './fields.ts'
import { assertThere, lockGraph } from './queries/locks.ts'
import {
  emptyReferences,
  lookUp,
  teamsOf,
  type References,
  type ResolvedReferences,
  type State,
  type TeamWithStates
} from './queries/lookup.ts'
import { assertMayComplete, keepFirstTicks } from './proof/keep.ts'
import { findIssue } from './queries/read.ts'
import { takeNumbers } from './queries/write.ts'
import { insertIssues, type IssueRow } from './queries/insert.ts'
import type { Draft } from './schemas.ts'
import { collectReferences, isSettable, linksIn, referenceIn, givenReference, stateOf, valueIn } from './values.ts'

/** An issue of a request, with its parent, in the order in which the rows are inserted. */
interface Planned {
  draft: Draft
  team: TeamWithStates
  state: State
  id: Id
  parentId: Id | null
  /** Where it stands in the request, for errors. */
  at: string
  requireCriteria: boolean
}

/** Issues in one request, sub-issues included. */
const MAX_ISSUES_PER_REQUEST = 1000

/** A relation as it is stored, seen from `id`. */
export function storedRelation(
  id: Id,
  type: RelationType,
  otherId: Id
): { issueId: Id; relatedIssueId: Id; type: StoredRelationType } {
  if (type === 'BLOCKED') return { issueId: otherId, relatedIssueId: id, type: 'BLOCKS' }
  if (type === 'DUPLICATE') return { issueId: otherId, relatedIssueId: id, type: 'DUPLICATE_OF' }
  // Symmetric ones are stored in one direction, so that they are stored once.
  if ((type === 'RELATED' || type === 'SIMILAR') && otherId < id) return { issueId: otherId, relatedIssueId: id, type }
  return { issueId: id, relatedIssueId: otherId, type }
}

export interface Created {
  id: Id
  /** The row as JSON text. */
  json: string
  /** Issues that may be the same one. */
  similar: readonly SimilarIssue[]
}

/** The row of an issue before it has a number. */
type Unnumbered = Omit<IssueRow, 'number'>

const filedText = ({ draft }: Planned, { descriptionMarkdown, values, linked }: Unnumbered, at: Date): FiledText => ({
  title: draft.title,
  descriptionMarkdown,
  createdAt: at,
  labelIds: linked['labels'] ?? [],
  values
})

export interface CreateOptions {
  /** Whether the rows have the stored description, too. */
  raw: boolean
  /** Where the nth issue stands in the request, for errors. */
  where?: (n: number) => string
  /** Finds what is close to a single issue; its promise is never rejected. */
  findSimilar?: (filed: FiledText) => Promise<SimilarIssue[]>
}

/**
 * Creates issues with their sub-issues, all or none.
 * @returns the issues asked for (not their sub-issues), in their order
 * @throws ApiError 400, 404 or 413, naming the field
 */
export async function createIssues(
  ctx: Ctx,
  fields: readonly Field[],
  principal: Principal,
  drafts: readonly Draft[],
  { raw, where = n => `issues.${n}.`, findSimilar }: CreateOptions
): Promise<Created[]> {
  const { workspaceId } = principal
  const settable = fields.filter(field => isSettable(field, true))
  const references = emptyReferences()
  const named = await Promise.all(drafts.map((draft, n) => withTeam(ctx, principal, draft, where(n))))
  named.forEach((draft, n) => collect(references, draft, settable, where(n)))
  const resolved = await lookUp(ctx.shortReads, principal, references)

  const planned: Planned[] = []
  named.forEach((draft, n) => {
    const parent = referenceIn(ownFields.parent, draft, resolved, undefined)
    plan(planned, resolved, draft, undefined, parent?.id ?? null, where(n))
  })
  if (planned.length > MAX_ISSUES_PER_REQUEST) {
    throw invalid(`A request can create at most ${MAX_ISSUES_PER_REQUEST} issues, sub-issues included.`)
  }
  const at = ctx.now()
  const contents = await withTexts(planned)
  const unnumbered = contents.map(issue => rowOf(issue, settable, resolved, at))
  // Runs in parallel with what follows, which must neither wait for it nor fail with it. But where the whole request is
  // one transaction, it is awaited first, because its statements would run in that.
  const finding = findSimilar?.(filedText(contents[0]!, unnumbered[0]!, at))
  if (requestTransaction() !== undefined) await finding
  const numbers = await numbersFor(ctx, workspaceId, planned)
  const rows = unnumbered.map((row, n) => ({ ...row, number: numbers.next(contents[n]!.team.id) }))

  await ctx.transaction(async trx => {
    // No edge leads to a new issue yet: neither its parent nor its relations can close a circle.
    if (references.issues.size > 0) {
      await lockGraph(trx, workspaceId, 'shared')
      const ids = [...references.issues.keys()].map(ref => resolved.issue(ref).id)
      await assertThere(trx, workspaceId, ids)
    }
    const occurrences = rows.map(({ id, number }, n) => {
      const { team, state, parentId, draft } = contents[n]!
      const assigneeId = referenceIn(ownFields.assignee, draft, resolved, team)?.id ?? null
      const data = { title: draft.title, teamId: team.id, stateId: state.id, assigneeId, parentId }
      return { subjectId: id, subjectKey: `${team.identifier}-${number}`, issueId: id, rev: 1, data }
    })
    const told = ctx.emitting(trx, issueCreated, principal, occurrences)
    await insertIssues(trx, workspaceId, principal.accountId, at, rows, settable, told)
    const begun = rows.filter((row, n) => isBegun(contents[n]!, row)).map(({ id }) => id)
    await checkCriteria({ ctx, fields }, trx, principal, at, contents)
    await keepClaims({ ctx, fields }, trx, principal, begun)
  })
  const similar = (await finding) ?? []
  return contents.flatMap((issue, n) =>
    named.includes(issue.draft)
      ? [{ id: issue.id, json: answerJson(rows[n]!, issue, principal, at, fields, raw), similar }]
      : []
  )
}

const isBegun = ({ state }: Planned, { values }: IssueRow) =>
  state.category === 'STARTED' && values['assignee_id'] !== null

/** Keeps who ticked what, and refuses issues that are filed as completed, where their teams ask more. @throws 409 */
async function checkCriteria(
  writer: Writer,
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
  await keepFirstTicks(writer, trx, principal, filed)
  const completed = issues.filter(({ state }) => state.category === 'COMPLETED').map(({ id }) => id)
  if (completed.length > 0) await assertMayComplete(principal, trx, completed, { at, override: false })
}

/** With the team that the parent has, or the only one that there is, unless the draft names one. @throws 400, 404 */
async function withTeam(ctx: Ctx, { workspaceId }: Principal, draft: Draft, at: string): Promise<Draft> {
  if (givenReference(ownFields.team, draft) !== undefined) return draft
  const parent = givenReference(ownFields.parent, draft)?.value
  if (parent != null) {
    return { ...draft, teamId: (await findIssue(ctx.shortReads, workspaceId, parent)).teamId }
  }
  const teams = await teamsOf(ctx.shortReads, workspaceId)
  if (teams.length === 1) return { ...draft, teamId: teams[0]!.id }
  const names = teams.map(({ identifier, name }) => `${identifier} (${name})`).join(', ')
  throw invalid(`body.${at}team is missing: name the team, one of ${names}.`, { field: `${at}team` })
}

/** With the converted description of each. @throws ApiError 400, 413 or 503 */
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
    const { draft, parentId, at, requireCriteria } = issue
    if (requireCriteria) requireDescription(texts[n], draft.title, parentId !== null, at)
    return { ...issue, text: texts[n] }
  })
}

/** The row of a new issue: its columns and lists follow from the fields. */
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
      values[field.column] = referenceIn(field, draft, resolved, team, where)?.id ?? null
    }
  }
  const decided = { team_id: team.id, state_id: state.id, parent_id: parentId }
  return {
    id,
    description: text?.json ?? null,
    descriptionMarkdown: text?.markdown ?? '',
    described: isDescribed(text, draft.title),
    criteriaMet: text?.criteria.met ?? 0,
    criteriaTotal: text?.criteria.total ?? 0,
    values: { ...values, ...decided },
    linked,
    relations: relationsOf(draft, id, resolved),
    links: (draft.links ?? []).map(link => ({ id: newId(), ...link }))
  }
}

/** The relations of a new issue, each once. @throws 400 when they could close a circle of blockers */
function relationsOf(
  { issueRelation, blockedByIds = [] }: Draft,
  id: Id,
  resolved: ResolvedReferences
): IssueRow['relations'] {
  if (issueRelation?.type === 'BLOCKS' && blockedByIds.length > 0) {
    throw invalid(
      'A new issue is blocked by others (blockedByIds) or BLOCKS another (issueRelation), not both: add the second ' +
        'with POST /v1/issue_relations.'
    )
  }
  const relations = [
    ...(issueRelation ? [issueRelation] : []),
    ...blockedByIds.map(relatedIssueId => ({ type: 'BLOCKED' as const, relatedIssueId }))
  ]
  const stored = relations.map(({ type, relatedIssueId }) =>
    storedRelation(id, type, resolved.issue(relatedIssueId).id)
  )
  return [...new Map(stored.map(relation => [JSON.stringify(relation), relation])).values()].map(relation => ({
    id: newId(),
    ...relation
  }))
}

/** Collects what a draft and its sub-issues refer to. */
function collect(references: References, draft: Draft, fields: readonly Field[], at: string): void {
  collectReferences(references, fields, draft, at)
  const { issueRelation, blockedByIds = [], subIssues = [] } = draft
  if (issueRelation) references.issues.set(issueRelation.relatedIssueId, `${at}issueRelation.relatedIssueId`)
  for (const ref of blockedByIds) references.issues.set(ref, `${at}blockedByIds`)
  subIssues.forEach((part, n) => collect(references, part, fields, `${at}subIssues.${n}.`))
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
  const given = givenReference(ownFields.team, draft)?.value
  const team = given == null ? parentTeam! : resolved.team(given)
  const state = stateIn(team, draft, at)
  if (!state) throw invalid(`The team ${team.identifier} has no workflow states: add one first.`)
  const id = newId()
  planned.push({ draft, team, state, id, parentId, at, requireCriteria })
  draft.subIssues?.forEach((part, n) =>
    plan(planned, resolved, part, team, id, `${at}subIssues.${n}.`, requireCriteria)
  )
}

/** The state that a draft names, or the first of what is to do. @throws 400 */
function stateIn(team: TeamWithStates, draft: Draft, at: string): State | undefined {
  const given = givenReference(ownFields.state, draft)
  if (given?.value != null) return stateOf(team, { ...given, value: given.value }, at)
  return team.states.find(({ category }) => category === 'UNSTARTED') ?? team.states[0]
}

async function numbersFor(ctx: Ctx, workspaceId: Id, planned: readonly Planned[]) {
  const counts = new Map<Id, number>()
  for (const { team } of planned) counts.set(team.id, (counts.get(team.id) ?? 0) + 1)
  const next = new Map<Id, number>()
  for (const [teamId, n] of counts) next.set(teamId, (await takeNumbers(ctx.db, workspaceId, teamId, n)) - n + 1)
  return {
    next(teamId: Id): number {
      const number = next.get(teamId)!
      next.set(teamId, number + 1)
      return number
    }
  }
}

/** The row of an issue just made, as JSON text: all of it is known, so it need not be read. */
function answerJson(
  row: IssueRow,
  { team, state }: Planned,
  principal: Principal,
  at: Date,
  fields: readonly Field[],
  raw: boolean
): string {
  const time = at.toISOString()
  const made: Record<string, unknown> = {
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
      made[field.property] ?? (field.kind === 'links' ? row.linked[field.key] : row.values[field.column]) ?? null
    ])
  const json = JSON.stringify({
    id: row.id,
    key: `${team.identifier}-${row.number}`,
    stateCategory: state.category,
    descriptionMarkdown: row.descriptionMarkdown,
    ...Object.fromEntries(values),
    rev: 1
  })
  return raw ? `${json.slice(0, -1)},"description":${row.description}}` : json
}
