import { Type } from 'typebox'
import { confinementRules, fieldOf, type ConfinementRule } from '../../core/api/confinement.ts'
import type { Principal } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { notFound } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, IdText, Ref, Time } from '../../core/api/schemas.ts'
import { ISSUES_IN_REACH } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import { difference } from './difference.ts'
import { findRevision, listRevisions, type Subject } from './queries.ts'

const tags = ['revisions']
const Edit = {
  n: Type.Integer({ description: 'Counts the edits of the text from 1.' }),
  at: Time,
  by: Closed({ id: IdText, fullname: Type.String() })
}
const Revisions = Closed({ revisions: Type.Array(Closed(Edit)) })
const Difference = Closed({
  ...Edit,
  difference: Type.Array(
    Closed({
      kind: Type.Enum(['same', 'removed', 'added'], { description: 'Lines of both texts, of the former, of the new.' }),
      text: Type.String({ description: 'Markdown.' })
    }),
    { description: 'The former and the new text, in parts of whole lines.' }
  )
})
const KEPT =
  'The last 50 edits are kept, as long as their former texts have 4 MiB together; what one account edits within five ' +
  'minutes is one edit.'

interface EditRow {
  n: number
  editedAt: Date
  byId: Id
  by: string
}
const editOf = ({ n, editedAt, byId, by }: EditRow) => ({
  n,
  at: editedAt.toISOString(),
  by: { id: byId, fullname: by }
})

const n = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const ofIssue = Closed({ issueId: Ref('An issue’s UUID or key (`ENG-12`, any case).') })
const ofComment = Closed({ id: IdText })

export function revisionRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, rules(ctx))
  issueRoutes(app, ctx)
  commentRoutes(app, ctx)
}

const list = async ({ db }: Ctx, { workspaceId }: Principal, subject: Subject) => ({
  revisions: (await listRevisions(db, workspaceId, subject)).map(editOf)
})

/** @throws 404 */
async function one({ db }: Ctx, { workspaceId }: Principal, subject: Subject, n: number) {
  const row = await findRevision(db, workspaceId, subject, n)
  if (row === undefined) throw notFound('edit', String(n))
  return { ...editOf(row), difference: await difference(row.before, row.after) }
}

function issueRoutes(app: App, ctx: Ctx): void {
  const subjectOf = async (principal: Principal, ref: string): Promise<Subject> => ({
    type: 'issue',
    id: (await ctx.use.issues.find(principal, ctx.db, ref)).id
  })
  app.get(
    '/v1/issues/:issueId/revisions',
    {
      schema: {
        tags,
        summary: 'The edits of an issue’s description, newest first',
        description: KEPT,
        params: ofIssue,
        response: answers(200, Revisions)
      }
    },
    async ({ principal, params }) => list(ctx, principal, await subjectOf(principal, params.issueId))
  )
  app.get(
    '/v1/issues/:issueId/revisions/:n',
    {
      schema: {
        tags,
        summary: 'What an edit changed in an issue’s description',
        params: Closed({ ...ofIssue.properties, n }),
        response: answers(200, Difference)
      }
    },
    async ({ principal, params }) => one(ctx, principal, await subjectOf(principal, params.issueId), params.n)
  )
}

function commentRoutes(app: App, ctx: Ctx): void {
  const { comments } = ctx.use
  if (comments === undefined) return
  const subjectOf = async (principal: Principal, id: string): Promise<Subject> => ({
    type: 'comment',
    id: (await comments.find(principal, ctx.db, id)).id
  })
  app.get(
    '/v1/issue_comments/:id/revisions',
    {
      schema: {
        tags,
        summary: 'The edits of a comment, newest first',
        description: KEPT,
        params: ofComment,
        response: answers(200, Revisions)
      }
    },
    async ({ principal, params }) => list(ctx, principal, await subjectOf(principal, params.id))
  )
  app.get(
    '/v1/issue_comments/:id/revisions/:n',
    {
      schema: {
        tags,
        summary: 'What an edit changed in a comment',
        params: Closed({ ...ofComment.properties, n }),
        response: answers(200, Difference)
      }
    },
    async ({ principal, params }) => one(ctx, principal, await subjectOf(principal, params.id), params.n)
  )
}

function rules({ db, use: { issues, comments } }: Ctx): Record<string, ConfinementRule> {
  const allows = `those of ${ISSUES_IN_REACH}`
  const ofIssue: ConfinementRule = {
    allows,
    check: ({ principal, params }) => issues.assertReach(principal, db, fieldOf(params, 'issueId') ?? '', 'read')
  }
  const ofComment: ConfinementRule = {
    allows,
    async check({ principal, params }) {
      const comment = await comments?.find(principal, db, fieldOf(params, 'id') ?? '')
      await issues.assertReach(principal, db, comment?.issueId ?? '', 'read')
    }
  }
  return {
    'GET /v1/issues/:issueId/revisions': ofIssue,
    'GET /v1/issues/:issueId/revisions/:n': ofIssue,
    ...(comments && {
      'GET /v1/issue_comments/:id/revisions': ofComment,
      'GET /v1/issue_comments/:id/revisions/:n': ofComment
    })
  }
}
