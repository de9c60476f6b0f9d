import type { Reader } from '../../../core/api/database/types.ts'
import type { AccountOfCaller } from '../../../core/api/contract.ts'
import { invalid } from '../../../core/api/errors.ts'
import type { Ctx } from '../context.ts'
import { draftSources, type IssuesDatabase } from '../contract.ts'
import type { DraftRef, DraftSource, DraftValues } from '../fields/draft-source.ts'
import type { Field } from '../fields/field.ts'
import { MAX_ITEMS, ownFields } from '../fields/fields.ts'
import { emptyReferences, lookUp, teamsOf, type References, type ResolvedReferences } from '../queries/read/lookup.ts'
import { findIssue } from '../queries/read/read.ts'
import type { Writer } from '../queries/write/writer.ts'
import type { Draft } from '../schemas.ts'
import { similarSearches } from '../similar.ts'
import { statistics } from '../statistics.ts'
import { relationsIn } from './relations.ts'
import { collectReferences, givenReference, isSettable, referenceIn } from './values.ts'

export const draftSourceOf = (ctx: Ctx): DraftSource | undefined => ctx.contributions(draftSources)[0]?.item

export type Filing = ReturnType<typeof filingOf>
export const filingOf = ({ ctx, fields }: Writer) => ({
  ctx,
  fields,
  settable: fields.filter(field => isSettable(field, true)),
  source: draftSourceOf(ctx),
  similar: ctx.get(similarSearches),
  statistics: ctx.get(statistics)
})

export interface ResolvedDrafts {
  drafts: readonly Draft[]
  references: References
  resolved: ResolvedReferences
  /** The path of the nth draft in the request, for errors. */
  where: (n: number) => string
}

export async function resolveDrafts(
  { ctx, settable, source }: Filing,
  caller: AccountOfCaller,
  bodies: readonly Draft[],
  where = (n: number) => `issues.${n}.`
): Promise<ResolvedDrafts> {
  let teams: ReturnType<typeof teamsOf> | undefined
  const { db } = ctx
  const readTeams = () => (teams ??= teamsOf(db, caller.workspaceId))
  const filled = source ? await fillDrafts(source, ctx, caller, bodies, where) : bodies
  const drafts = await Promise.all(filled.map((draft, n) => withTeam(db, caller, readTeams, draft, where(n))))
  const references = emptyReferences()
  drafts.forEach((draft, n) => collect(references, draft, settable, where(n)))
  return { drafts, references, resolved: await lookUp(db, caller, references), where }
}

async function fillDrafts(
  source: DraftSource,
  { db }: Ctx,
  caller: AccountOfCaller,
  bodies: readonly Draft[],
  where: ResolvedDrafts['where']
): Promise<readonly Draft[]> {
  const isFilled = (body: Draft) => body[source.name] !== undefined
  const references = emptyReferences()
  bodies.forEach((body, n) => {
    if (isFilled(body)) collectReferences(references, [ownFields.team, ownFields.parent], body, where(n))
  })
  const resolved = await lookUp(db, caller, references)
  const refs = bodies.map((body, n) => (isFilled(body) ? refIn(source, body, resolved, where(n)) : undefined))
  const named = refs.filter(ref => ref !== undefined)
  const values = named.length === 0 ? [] : await source.fill(caller, db, named)
  return bodies.map((body, n) => {
    const ref = refs[n]
    const draft: UntitledDraft = ref ? fillDraft(source, body, values[named.indexOf(ref)]!, where(n)) : body
    const { title } = draft
    if (title === undefined) throw invalid(`body.${where(n)}title is missing.`, { field: `${where(n)}title` })
    return { ...draft, title }
  })
}

/** @throws 404 for a team or a parent that is not there */
function refIn({ name }: DraftSource, body: Draft, resolved: ResolvedReferences, at: string): DraftRef {
  const team = referenceIn(ownFields.team, body, resolved)
  const parent = givenReference(ownFields.parent, body)?.value
  const teamId = team?.id ?? (parent == null ? undefined : resolved.issue(parent).teamId)
  return { ref: body[name] as string, teamId, field: `${at}${name}` }
}

type UntitledDraft = Omit<Draft, 'title'> & { title?: string }

/** Extends lists, and fills in what the body leaves out. @throws 400 for a list that is too long */
function fillDraft(
  { name }: DraftSource,
  draft: Draft,
  { teamId, title, descriptionMarkdown, priority, labelIds, criteria }: DraftValues,
  at: string
): UntitledDraft {
  const { [name]: _, ...body } = draft
  const hasText = draft.description !== undefined || draft.descriptionMarkdown !== undefined
  const labels = draft['labelIds'] === undefined && draft['labels'] !== undefined ? 'labels' : 'labelIds'
  return {
    ...(title !== null && { title }),
    teamId,
    priority,
    ...(!hasText && { descriptionMarkdown }),
    ...body,
    ...withMore(labels, draft[labels], labelIds, at),
    ...withMore('acceptanceCriteria', draft.acceptanceCriteria, criteria, at)
  }
}

function withMore(name: string, list: unknown, more: readonly string[], at: string) {
  if (more.length === 0) return {}
  const all = [...new Set([...(Array.isArray(list) ? list : []), ...more])]
  if (all.length <= MAX_ITEMS) return { [name]: all }
  throw invalid(
    `body.${at}${name} has ${all.length} with those of the template, and may have ${MAX_ITEMS}: send fewer.`,
    { field: `${at}${name}` }
  )
}

/** Default: the team of the parent, or the only one. @throws 400, 404 */
async function withTeam(
  db: Reader<IssuesDatabase>,
  caller: AccountOfCaller,
  readTeams: () => ReturnType<typeof teamsOf>,
  draft: Draft,
  at: string
): Promise<Draft> {
  if (givenReference(ownFields.team, draft) !== undefined) return draft
  const parent = givenReference(ownFields.parent, draft)?.value
  if (parent != null) return { ...draft, teamId: (await findIssue(db, caller.workspaceId, parent)).teamId }
  const teams = await readTeams()
  if (teams.length === 1) return { ...draft, teamId: teams[0]!.id }
  const names = teams.map(({ identifier, name }) => `${identifier} (${name})`).join(', ')
  throw invalid(`body.${at}team is missing: name the team, one of ${names}.`, { field: `${at}team` })
}

function collect(references: References, draft: Draft, fields: readonly Field[], at: string): void {
  collectReferences(references, fields, draft, at)
  for (const { relatedIssueId, field } of relationsIn(draft)) references.issues.set(relatedIssueId, `${at}${field}`)
  draft.subIssues?.forEach((part, n) => collect(references, part, fields, `${at}subIssues.${n}.`))
}
