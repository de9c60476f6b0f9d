import { Type } from 'typebox'
import type { Principal } from '../../../core/api/contract.ts'
import { invalid, notFound } from '../../../core/api/errors.ts'
import { PreferHeader } from '../../../core/api/http.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed } from '../../../core/api/schemas.ts'
import { conversions, type RichText } from '../../../core/api/text.ts'
import { changeRelations, lockRelations, type RelationChanges } from '../write/related.ts'
import type { Trx } from '../context.ts'
import type { DescriptionDetails } from '../write/changes.ts'
import type { IssueRef, OtherHolder, Ticks } from '../contract.ts'
import { evidenceIn, hasTicks, refOf } from '../criteria/criteria.ts'
import { pickUpIssue } from '../pick-up/pick-up.ts'
import { moveIssue } from '../write/moves.ts'
import { PickUp, WriteView, type Move, type Patch } from '../schemas.ts'
import { Overtaken, type Basis } from '../revisions/overtaken.ts'
import { storeReported } from '../revisions/queries.ts'
import { rebase } from '../revisions/rebase.ts'
import {
  Changed as DescriptionChanged,
  changedByOthers,
  MAX_ATTEMPTS,
  patchIssue,
  tickCriteria
} from '../write/update.ts'
import { answerIssue, headers, one, tags, writeQuery, type RouteContext } from './answers.ts'

export const inTeam = { teamId: Type.Optional(Type.String({ description: 'The team that it must be in.' })) }
const changeQuery = Closed({ ...inTeam, ...WriteView })
const changeHeaders = Type.Object({ 'if-match': Type.Optional(Type.String()), ...PreferHeader })

export function changeRoutes(app: App, routes: RouteContext): void {
  app.post(
    '/v1/issues/:issueId',
    {
      schema: {
        tags,
        summary: 'Change an issue',
        description:
          'Fields that are not sent stay; null clears. What has a name can be named by it (`state`, `assignee`) or ' +
          'by its id (`stateId`), which wins. `labelIds` replaces the labels, `addLabelIds` and `removeLabelIds` ' +
          'change them, `addBlockedByIds` and `removeBlockedByIds` its blockers, `addRelations` and ' +
          '`removeRelations` all relations; `criteria` ticks checklist items, of the new description if there is ' +
          'one; all or nothing. An issue on which an agent works is not taken ' +
          'from it without `takeover` (409); `holder` in the answer says who works on it. With `If-Match: "rev"` it ' +
          'is refused (412) when the issue has changed since.',
        params: one,
        querystring: changeQuery,
        headers: changeHeaders,
        body: routes.schemas.Changes,
        response: answers(200, routes.schemas.Written)
      }
    },
    async (request, reply) => {
      const { principal, params, query, body, headers } = request
      const issue = await routes.find(principal, params.issueId)
      assertInTeam(issue, query.teamId, params.issueId)
      const ifRev = revisionOf(headers['if-match'])
      // The schema follows from the fields; its type is known only in parts.
      const changes = body as Patch
      const { holder, kept } = await changeIssue(routes, principal, issue, changes, ifRev).catch(async error => {
        await noteReported(routes, principal, error)
        throw error
      })
      return answerIssue(routes, request, reply, issue.id, { unmet: changes.criteria !== undefined, holder, kept })
    }
  )
}

interface Changed {
  holder: OtherHolder | undefined
  kept: readonly string[]
}

async function changeIssue(
  routes: RouteContext,
  principal: Principal,
  issue: IssueRef,
  changes: Patch,
  ifRev: number | undefined
): Promise<Changed> {
  const { criteria, description, descriptionMarkdown, ...patch } = changes
  const [text] = await conversions.read([{ raw: description, markdown: descriptionMarkdown, field: 'description' }])
  let relations: RelationChanges
  const before = async (trx: Trx): Promise<void> => {
    relations = await lockRelations(trx, principal, issue.id, patch)
  }
  const write = async (trx: Trx, newText: NewText) => {
    const holder = await patchIssue(routes, trx, principal, issue.id, patch, { ...newText, ifRev })
    await changeRelations(routes, trx, principal, issue, relations)
    return holder
  }
  if (criteria && text === undefined) {
    return { holder: await tickCriteria(routes, principal, issue.id, criteria, { before, write }), kept: [] }
  }
  const apply = (newText: NewText) =>
    routes.ctx.transaction(async trx => {
      await before(trx)
      return write(trx, newText)
    })
  const isBased = patch.rev !== undefined || patch.protect === true
  if (text && isBased) return changeBased(routes, principal, issue, { text, criteria, basis: patch }, apply)
  return { holder: await apply(await ticked(text, criteria)), kept: [] }
}

type NewText = Omit<DescriptionDetails, 'title'> & { text?: RichText | undefined; basedOn?: string }

async function ticked(text: RichText | undefined, { met = [], unmet = [] }: Ticks = {}): Promise<NewText> {
  if (!hasTicks({ met, unmet })) return { text }
  if (text?.json == null) throw invalid('The new description has no checklist.', { field: 'criteria' })
  const tickedText = await conversions.tick(text.json, met.map(refOf), unmet)
  return { text: tickedText, evidence: evidenceIn(met, tickedText) }
}

/** Writes a description that keeps what others have written. @throws 412, 503 when they go on writing */
async function changeBased(
  routes: RouteContext,
  principal: Principal,
  issue: IssueRef,
  { text, criteria, basis }: { text: RichText; criteria: Ticks | undefined; basis: Basis },
  apply: (newText: NewText) => Promise<OtherHolder | undefined>
): Promise<Changed> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const rebased = await rebase(routes, principal, issue, text, basis)
    const newText = { ...(await ticked(rebased.text, criteria)), basedOn: rebased.basedOn }
    try {
      const holder = await apply(newText)
      const isMet = (kept: string) => newText.text?.criteria.items.some(({ text, met }) => met && text === kept)
      return { holder, kept: rebased.kept.filter(isMet) }
    } catch (error) {
      if (!(error instanceof DescriptionChanged)) throw error
    }
  }
  throw changedByOthers()
}

async function noteReported({ ctx }: RouteContext, { workspaceId, accountId }: Principal, error: unknown) {
  if (!(error instanceof Overtaken)) return
  const { issueId, rev } = error
  await ctx.transaction(trx => storeReported(trx, workspaceId, { issueId, accountId, rev, toldAt: ctx.now() }))
}

export function stepRoutes(app: App, routes: RouteContext): void {
  const response = answers(200, routes.schemas.Written)
  const schema = { tags, params: one, headers, querystring: writeQuery, response }
  app.post(
    '/v1/issues/:issueId/move',
    {
      schema: {
        ...schema,
        summary: 'Move an issue to another team',
        description: 'It gets a number there; its old key still finds it.',
        body: routes.schemas.Move
      }
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const { id } = await routes.find(principal, params.issueId)
      // Its schema has no `takeover` where nothing keeps who works on an issue.
      await moveIssue(routes, principal, id, body as Move)
      return answerIssue(routes, request, reply, id)
    }
  )

  app.post(
    '/v1/issues/:issueId/pick_up',
    {
      schema: {
        ...schema,
        summary: 'Take an issue: assign it to yourself and begin',
        description: 'Of any number of callers at once exactly one gets it; the others learn who has it.',
        body: PickUp
      }
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const { id } = await routes.find(principal, params.issueId)
      await routes.ctx.transaction(trx => pickUpIssue(routes, trx, principal, id, body.takeover ?? false))
      return answerIssue(routes, request, reply, id, { openBlockers: true })
    }
  )

  app.post(
    '/v1/issues/:issueId/criteria',
    {
      schema: {
        ...schema,
        summary: 'Tick criteria',
        description: 'Checklist items of the description, by number (from 1) or text; nothing else in it changes.',
        body: routes.schemas.Criteria
      }
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const { id } = await routes.find(principal, params.issueId)
      const holder = await tickCriteria(routes, principal, id, body)
      return answerIssue(routes, request, reply, id, { unmet: true, holder })
    }
  )
}

export function assertInTeam({ teamId, key }: IssueRef, team: string | undefined, ref: string): void {
  if (team === undefined || team.toLowerCase() === teamId || team.toUpperCase() === key.split('-')[0]) return
  throw notFound(`issue of the team '${team}' called`, ref)
}

/** `*` and no header ask for none. */
function revisionOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const [, rev] = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header) ?? []
  if (rev === undefined) throw invalid('The header If-Match must be a revision, such as "3".')
  return Number(rev)
}
