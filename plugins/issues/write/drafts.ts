import type { Reader } from '../../../core/api/database/types.ts'
import type { AccountOfCaller } from '../../../core/api/contract.ts'
import { invalid } from '../../../core/api/errors.ts'
import type { IssuesDatabase } from '../contract.ts'
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
  db: Reader<IssuesDatabase>,
  caller: AccountOfCaller,
  fields: readonly Field[],
  given: readonly Draft[],
  where = (n: number) => `issues.${n}.`
): Promise<ResolvedDrafts> {
  let teams: ReturnType<typeof teamsOf> | undefined
  const readTeams = () => (teams ??= teamsOf(db, caller.workspaceId))
  const drafts = await Promise.all(given.map((draft, n) => withTeam(db, caller, readTeams, draft, where(n))))
  const references = emptyReferences()
  const settable = fields.filter(field => isSettable(field, true))
  drafts.forEach((draft, n) => collect(references, draft, settable, where(n)))
  return { drafts, references, resolved: await lookUp(db, caller, references), where }
}

/** With the parent's team, or the only one, unless the draft names one. @throws 400, 404 */
async function withTeam(
  db: Reader<IssuesDatabase>,
  { workspaceId }: AccountOfCaller,
  readTeams: () => ReturnType<typeof teamsOf>,
  draft: Draft,
  at: string
): Promise<Draft> {
  if (givenReference(ownFields.team, draft) !== undefined) return draft
  const parent = givenReference(ownFields.parent, draft)?.value
  if (parent != null) {
    return { ...draft, teamId: (await findIssue(db, workspaceId, parent)).teamId }
  }
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
