import { Type, type Static } from 'typebox'
import type { Principal } from '../../../core/api/contract.ts'
import { NIL_ID } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { invalid, notFound } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, IdText, Nullable, Ref } from '../../../core/api/schemas.ts'
import type { Ctx } from '../context.ts'
import { knowledgeMarked } from '../contract.ts'
import { findIds, trustEntries, writeMarks } from '../queries/outcomes.ts'
import { tags } from '../schemas.ts'

const Entries = Type.Array(Type.String({ minLength: 1, maxLength: 36 }), {
  maxItems: 50,
  description: 'Ids, or the beginnings of ids, from eight characters on.'
})
const Marks = Closed({
  issueId: Type.Optional(Ref('The issue for which they were read: UUID or key.')),
  helped: Type.Optional(Entries),
  wrong: Type.Optional(Entries)
})
const Marked = Closed({ helped: Type.Array(IdText), wrong: Type.Array(IdText), issueId: Nullable(IdText) })

export function markRoutes(app: App, ctx: Ctx): void {
  app.post(
    '/v1/knowledge/marks',
    {
      schema: {
        tags,
        summary: 'Say which entries helped, and which are wrong',
        description:
          'An account has one mark on an entry for each issue, and one without an issue: the last counts. A mark ' +
          'says that the entry was looked at again, and so ends a `doubt`. A wrong entry is served later than ' +
          'others; to say what is right, supersede it.',
        body: Marks,
        response: answers(200, Marked)
      }
    },
    async ({ principal, body }) => mark(ctx, principal, body)
  )
}

async function mark(ctx: Ctx, principal: Principal, body: Static<typeof Marks>): Promise<Static<typeof Marked>> {
  const { db, now, use } = ctx
  const { workspaceId, accountId } = principal
  const issueId = body.issueId === undefined ? null : (await use.issues.find(principal, db, body.issueId)).id
  const helped = await idsOf(ctx, workspaceId, 'helped', body.helped)
  const wrong = await idsOf(ctx, workspaceId, 'wrong', body.wrong)
  const twice = helped.find(id => wrong.includes(id))
  if (twice !== undefined) throw invalid(`body.wrong names ${twice}, as body.helped does: say one of both.`)
  const marks = [
    ...helped.map(entryId => ({ entryId, isHelpful: true })),
    ...wrong.map(entryId => ({ entryId, isHelpful: false }))
  ].sort((a, b) => (a.entryId < b.entryId ? -1 : 1))
  if (marks.length === 0) throw invalid('Send body.helped, body.wrong, or both.', { field: 'helped' })
  await ctx.transaction(async trx => {
    await writeMarks(trx, { workspaceId, accountId, issueId, at: now() }, marks)
    await trustEntries(
      trx,
      workspaceId,
      marks.map(({ entryId }) => entryId)
    )
    await ctx.emit(
      trx,
      knowledgeMarked,
      principal,
      marks.map(({ entryId, isHelpful }) => ({ subjectId: entryId, data: { helpful: isHelpful, issueId } }))
    )
  })
  return { helped, wrong, issueId }
}

const MIN_PREFIX = 8

/** Each once. @throws 400, 404 */
async function idsOf({ db }: Ctx, workspaceId: Id, field: string, refs: readonly string[] = []): Promise<Id[]> {
  const ids = new Set<Id>()
  for (const ref of refs) {
    const start = ref.toLowerCase()
    const first = start + NIL_ID.slice(start.length)
    if (start.length < MIN_PREFIX || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(first)) {
      throw invalid(
        `body.${field} has “${ref}”: send ids of entries, or at least their first ${MIN_PREFIX} characters.`
      )
    }
    const matches = await findIds(db, workspaceId, first, start + NIL_ID.slice(start.length).replaceAll('0', 'f'))
    if (matches.length > 1) throw invalid(`body.${field} has “${ref}”, with which several ids begin: send more of it.`)
    if (matches.length === 0) throw notFound('knowledge entry', ref)
    ids.add(matches[0]!)
  }
  return [...ids]
}
