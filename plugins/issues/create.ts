import type { Principal } from '../../core/contract.ts'
import type { Id } from '../../core/db/tables.ts'
import { invalid } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { conversions, type RichText } from '../../core/text/conversions.ts'
import { issueCreated, type IssueReference, type RelationType, type StoredRelationType } from './contract.ts'
import { isDescribed, requireDescription } from './description.ts'
import type { Ctx } from './context.ts'
import { lookUp, wantNothing, type Found, type State, type TeamWithStates, type Wanted } from './queries/lookup.ts'
import { assertThere, lockGraph } from './queries/locks.ts'
import { insertIssues, takeNumbers, type IssueRow } from './queries/write.ts'
import type { Draft } from './schemas.ts'

/** An issue of a request, with its parent, in the order in which the rows are inserted. */
interface Planned {
  draft: Draft
  team: TeamWithStates
  state: State
  id: Id
  parentId: Id | null
  at: string
  requireCriteria: boolean
}

/** Issues in one request, sub-issues included. */
const MOST_AT_ONCE = 1000

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

/**
 * Creates issues with their sub-issues, all or none.
 * @param raw whether the rows have the stored description, too
 * @returns the rows of the issues asked for (not of their sub-issues) as JSON texts, in their order
 * @throws ApiError 400, 404 or 413, naming the field
 */
export async function createIssues(
  ctx: Ctx,
  references: readonly IssueReference[],
  principal: Principal,
  drafts: readonly Draft[],
  raw: boolean,
  where = (n: number) => `issues.${n}.`
): Promise<string[]> {
  const { workspaceId } = principal
  const wanted = wantNothing()
  for (const draft of drafts) want(wanted, draft, references)
  const found = await lookUp(ctx.shortReads, workspaceId, wanted, references)

  const planned: Planned[] = []
  drafts.forEach((draft, n) =>
    plan(planned, found, draft, undefined, draft.parentId == null ? null : found.issue(draft.parentId).id, where(n))
  )
  if (planned.length > MOST_AT_ONCE) {
    throw invalid(`A request can create at most ${MOST_AT_ONCE} issues, sub-issues included.`)
  }
  const at = ctx.now()
  const contents = await withTexts(planned)
  const numbers = await numbersFor(ctx, workspaceId, planned)

  const rows = contents.map(({ draft, team, state, id, parentId, text }): IssueRow => ({
    id,
    teamId: team.id,
    number: numbers.next(team.id),
    title: draft.title,
    description: text?.json ?? null,
    descriptionMarkdown: text?.markdown ?? '',
    described: isDescribed(text, draft.title),
    criteriaMet: text?.criteria.met ?? 0,
    criteriaTotal: text?.criteria.total ?? 0,
    stateId: state.id,
    assigneeId: draft.assigneeId == null ? null : found.account(draft.assigneeId).id,
    priority: draft.priority ?? 0,
    estimate: draft.estimate ?? null,
    dueDate: draft.dueDate ?? null,
    sortOrder: draft.sortOrder ?? at.getTime(),
    parentId,
    labelIds: [...new Set((draft.labelIds ?? []).map(labelId => found.label(labelId).id))].sort(),
    relations: relationsOf(draft, id, found),
    links: (draft.links ?? []).map(link => ({ id: newId(), ...link })),
    references: Object.fromEntries(references.map(r => [r.column, referenceOf(found, r, draft[r.field])]))
  }))

  await ctx.transaction(async trx => {
    // No edge leads to a new issue yet: neither its parent nor its relations can close a circle.
    if (wanted.issues.size > 0) {
      await lockGraph(trx, workspaceId, 'shared')
      await assertThere(
        trx,
        workspaceId,
        [...wanted.issues].map(ref => found.issue(ref).id)
      )
    }
    await insertIssues(trx, workspaceId, principal.accountId, at, rows, references)
    await ctx.emit(
      trx,
      issueCreated,
      principal,
      rows.map(({ id, number, title, teamId, stateId, assigneeId, parentId }, n) => ({
        subjectId: id,
        subjectKey: `${contents[n]!.team.identifier}-${number}`,
        issueId: id,
        rev: 1,
        data: { title, teamId, stateId, assigneeId, parentId }
      }))
    )
  })
  return contents.flatMap((p, n) =>
    drafts.includes(p.draft) ? [shown(rows[n]!, p.team, p.state, principal, at, references, raw)] : []
  )
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

/** The relations of a new issue, each once. @throws 400 when they could close a circle of blockers */
function relationsOf({ issueRelation, blockedByIds = [] }: Draft, id: Id, found: Found): IssueRow['relations'] {
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
  const stored = relations.map(({ type, relatedIssueId }) => storedRelation(id, type, found.issue(relatedIssueId).id))
  return [...new Map(stored.map(relation => [JSON.stringify(relation), relation])).values()].map(relation => ({
    id: newId(),
    ...relation
  }))
}

function want(wanted: Wanted, draft: Draft, references: readonly IssueReference[]): void {
  if (draft.teamId !== undefined) wanted.teams.add(draft.teamId)
  if (draft.parentId != null) wanted.issues.add(draft.parentId)
  if (draft.issueRelation) wanted.issues.add(draft.issueRelation.relatedIssueId)
  draft.blockedByIds?.forEach(ref => wanted.issues.add(ref))
  if (draft.assigneeId != null) wanted.accounts.add(draft.assigneeId)
  draft.labelIds?.forEach(id => wanted.labels.add(id))
  wantReferences(wanted, draft, references)
  draft.subIssues?.forEach(sub => want(wanted, sub, references))
}

/** What a body's reference fields name, such as `projectId`. */
export function wantReferences(
  wanted: Wanted,
  body: Record<string, unknown>,
  references: readonly IssueReference[]
): void {
  for (const { key, field } of references) {
    const id = body[field]
    if (typeof id === 'string') wanted.references.set(key, (wanted.references.get(key) ?? new Set()).add(id))
  }
}
export const referenceOf = (found: Found, { key }: IssueReference, value: unknown): Id | null =>
  typeof value === 'string' ? found.reference(key, value).id : null

function plan(
  planned: Planned[],
  found: Found,
  draft: Draft,
  parentTeam: TeamWithStates | undefined,
  parentId: Id | null,
  at: string,
  requireCriteria = draft.requireCriteria ?? false
): void {
  const team = draft.teamId === undefined ? parentTeam! : found.team(draft.teamId)
  const state =
    draft.stateId === undefined
      ? (team.states.find(s => s.category === 'UNSTARTED') ?? team.states[0])
      : stateOf(team, draft.stateId, `${at}stateId`)
  if (!state) throw invalid(`The team ${team.identifier} has no workflow states: add one first.`)
  const id = newId()
  planned.push({ draft, team, state, id, parentId, at, requireCriteria })
  draft.subIssues?.forEach((sub, n) => plan(planned, found, sub, team, id, `${at}subIssues.${n}.`, requireCriteria))
}

/** @throws 400 that lists the team's states when it has no such one */
export function stateOf(team: TeamWithStates, stateId: Id, field = 'stateId'): State {
  const state = team.states.find(s => s.id === stateId.toLowerCase())
  if (!state) {
    throw invalid(
      `body.${field} is no state of the team ${team.identifier}; its states are: ` +
        `${team.states.map(s => `${s.name} (${s.id})`).join(', ')}.`,
      { field, states: team.states }
    )
  }
  return state
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
function shown(
  row: IssueRow,
  team: TeamWithStates,
  state: State,
  principal: Principal,
  at: Date,
  references: readonly IssueReference[],
  raw: boolean
): string {
  const time = at.toISOString()
  const fields = JSON.stringify({
    id: row.id,
    number: row.number,
    key: `${team.identifier}-${row.number}`,
    title: row.title,
    descriptionMarkdown: row.descriptionMarkdown,
    priority: row.priority,
    estimate: row.estimate,
    dueDate: row.dueDate,
    sortOrder: row.sortOrder,
    teamId: row.teamId,
    stateId: row.stateId,
    stateCategory: state.category,
    assigneeId: row.assigneeId,
    ...Object.fromEntries(references.map(r => [r.field, row.references[r.column] ?? null])),
    parentId: row.parentId,
    labelIds: row.labelIds,
    createdById: principal.accountId,
    updatedById: principal.accountId,
    createdAt: time,
    updatedAt: time,
    completedAt: state.category === 'COMPLETED' ? time : null,
    rev: 1
  })
  return raw ? `${fields.slice(0, -1)},"description":${row.description}}` : fields
}
