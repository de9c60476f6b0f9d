import type { Id, Reader } from '../../../core/api/database/types.ts'
import type { AccountOfCaller } from '../../../core/api/contract.ts'
import { invalid } from '../../../core/api/errors.ts'
import type { Ctx } from '../context.ts'
import { draftSources, type IssuesDatabase } from '../contract.ts'
import type { DraftSource } from '../fields/draft-source.ts'
import type { Field } from '../fields/field.ts'
import { ownFields } from '../fields/fields.ts'
import { emptyReferences, lookUp, teamsOf, type References, type ResolvedReferences } from '../queries/read/lookup.ts'
import { findIssue } from '../queries/read/read.ts'
import type { Draft } from '../schemas.ts'
import { collectReferences, givenReference, isSettable } from './values.ts'

/** Issues to be created, and their resolved references. */
export interface ResolvedDrafts {
  drafts: readonly Draft[]
  references: References
  resolved: ResolvedReferences
  /** The path of the nth draft in the request, for errors. */
  where: (n: number) => string
}

/** Looks up the references of drafts. @throws ApiError 400 or 404, naming the field */
export async function resolveDrafts(
  ctx: Ctx,
  caller: AccountOfCaller,
  fields: readonly Field[],
  given: readonly Draft[],
  where = (n: number) => `issues.${n}.`
): Promise<ResolvedDrafts> {
  let teams: ReturnType<typeof teamsOf> | undefined
  const { db } = ctx
  const [source] = ctx.contributions(draftSources).map(({ item }) => item)
  const readTeams = () => (teams ??= teamsOf(db, caller.workspaceId))
  const drafts = await Promise.all(
    given.map(async (draft, n) => {
      const filled = source ? await filledBy(source, db, caller, draft, where(n)) : draft
      return withTeam(db, caller, readTeams, filled, where(n))
    })
  )
  const references = emptyReferences()
  const settable = fields.filter(field => isSettable(field, true))
  drafts.forEach((draft, n) => collect(references, draft, settable, where(n)))
  return { drafts, references, resolved: await lookUp(db, caller, references), where }
}

/**
 * With the values of what the body names: they stand where it leaves them out, and are added to its lists.
 * @throws ApiError 400 or 404, naming the field
 */
async function filledBy(
  source: DraftSource,
  db: Reader<IssuesDatabase>,
  caller: AccountOfCaller,
  draft: Draft,
  at: string
): Promise<Draft> {
  const { [source.name]: ref, ...body } = draft
  if (typeof ref !== 'string') return titled(draft, at)
  const team = givenReference(ownFields.team, draft)?.value ?? (await teamOfParent(db, caller, draft))
  const values = await source.fill(caller, db, { ref, team, field: `${at}${source.name}` })
  const { teamId, title, descriptionMarkdown, priority, labelIds, criteria } = values
  const hasText = draft.description !== undefined || draft.descriptionMarkdown !== undefined
  const labels = draft['labelIds'] === undefined && draft['labels'] !== undefined ? 'labels' : 'labelIds'
  const filled: Omit<Draft, 'title'> & { title?: string } = {
    ...(title !== null && { title }),
    priority,
    ...(!hasText && { descriptionMarkdown }),
    ...body,
    ...(team === undefined && { teamId }),
    ...added(labels, draft[labels], labelIds),
    ...added('acceptanceCriteria', draft.acceptanceCriteria, criteria)
  }
  return titled(filled, at)
}

/** The list of a body with more. */
const added = (name: string, list: unknown, more: readonly string[]) =>
  more.length > 0 && { [name]: [...(Array.isArray(list) ? list : []), ...more] }

/** @throws 400 */
function titled(draft: Omit<Draft, 'title'> & { title?: string }, at: string): Draft {
  const { title } = draft
  if (title === undefined) throw invalid(`body.${at}title is missing.`, { field: `${at}title` })
  return { ...draft, title }
}

async function teamOfParent(
  db: Reader<IssuesDatabase>,
  { workspaceId }: AccountOfCaller,
  draft: Draft
): Promise<Id | undefined> {
  const parent = givenReference(ownFields.parent, draft)?.value
  return parent == null ? undefined : (await findIssue(db, workspaceId, parent)).teamId
}

/** With the parent's team, or the only one, unless the draft names one. @throws 400, 404 */
async function withTeam(
  db: Reader<IssuesDatabase>,
  caller: AccountOfCaller,
  readTeams: () => ReturnType<typeof teamsOf>,
  draft: Draft,
  at: string
): Promise<Draft> {
  if (givenReference(ownFields.team, draft) !== undefined) return draft
  const teamId = await teamOfParent(db, caller, draft)
  if (teamId !== undefined) return { ...draft, teamId }
  const teams = await readTeams()
  if (teams.length === 1) return { ...draft, teamId: teams[0]!.id }
  const names = teams.map(({ identifier, name }) => `${identifier} (${name})`).join(', ')
  throw invalid(`body.${at}team is missing: name the team, one of ${names}.`, { field: `${at}team` })
}

function collect(references: References, draft: Draft, fields: readonly Field[], at: string): void {
  collectReferences(references, fields, draft, at)
  const { issueRelation, relations = [], blockedByIds = [], subIssues = [] } = draft
  if (issueRelation) references.issues.set(issueRelation.relatedIssueId, `${at}issueRelation.relatedIssueId`)
  for (const { relatedIssueId } of relations) references.issues.set(relatedIssueId, `${at}relations`)
  for (const ref of blockedByIds) references.issues.set(ref, `${at}blockedByIds`)
  subIssues.forEach((part, n) => collect(references, part, fields, `${at}subIssues.${n}.`))
}
