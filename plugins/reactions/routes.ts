import { Type } from 'typebox'
import { confinementRules, fieldOf, type ConfinementRule } from '../../core/api/confinement.ts'
import type { Principal } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, IdText, Ref } from '../../core/api/schemas.ts'
import { writeScope } from '../../core/api/scopes.ts'
import { ISSUES_IN_REACH } from '../issues/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { reactionAdded, reactionRemoved } from './contract.ts'
import { EMOJI } from './emoji.ts'
import { addReaction, listReactions, MAX_LISTED, MAX_NAMED, removeReaction } from './queries.ts'

const tags = ['reactions']
const EmojiName = Type.Enum([...EMOJI])
const Reactions = Type.Array(
  Closed({
    commentId: IdText,
    emoji: EmojiName,
    count: Type.Integer(),
    isOwn: Type.Boolean({ description: 'The caller is one of them.' }),
    by: Type.Array(Closed({ id: IdText, fullname: Type.String() }), { description: `The first ${MAX_NAMED}.` })
  })
)
const ofIssue = Closed({ issueId: Ref('An issue’s UUID or key (`ENG-12`, any case).') })
const ofComment = Closed({ id: IdText })

export function reactionRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, rules(ctx))
  readRoutes(app, ctx)
  writeRoutes(app, ctx)
}

const list = ({ db }: Ctx, { workspaceId, accountId }: Principal, of: { commentId: Id } | { issueId: Id }) =>
  listReactions(db, workspaceId, accountId, of)

function readRoutes(app: App, ctx: Ctx): void {
  const { db, use } = ctx
  app.get(
    '/v1/issues/:issueId/reactions',
    {
      schema: {
        tags,
        summary: 'The reactions to the comments of an issue',
        description: `At most ${MAX_LISTED}, those to the newest comments first.`,
        params: ofIssue,
        response: answers(200, Reactions)
      }
    },
    async ({ principal, params }) => {
      const { id: issueId } = await use.issues.find(principal, db, params.issueId)
      return list(ctx, principal, { issueId })
    }
  )
  app.get(
    '/v1/issue_comments/:id/reactions',
    { schema: { tags, summary: 'The reactions to a comment', params: ofComment, response: answers(200, Reactions) } },
    async ({ principal, params: { id } }) => {
      await use.comments.find(principal, db, id)
      return list(ctx, principal, { commentId: id })
    }
  )
}

function writeRoutes(app: App, ctx: Ctx): void {
  const { now, transaction } = ctx
  app.post(
    '/v1/issue_comments/:id/reactions',
    {
      schema: {
        tags,
        summary: 'React to a comment',
        description: 'An account reacts with each emoji once: again changes nothing.',
        params: ofComment,
        body: Closed({ emoji: EmojiName }),
        response: answers(200, Reactions)
      }
    },
    async ({ principal, params: { id: commentId }, body: { emoji } }) => {
      const { workspaceId, accountId } = principal
      await transaction(async trx => {
        const parentId = await lockIssue(ctx, trx, principal, commentId)
        const isNew = await addReaction(trx, workspaceId, { commentId, emoji, accountId, createdAt: now() })
        if (isNew) await ctx.emit(trx, reactionAdded, principal, [{ subjectId: commentId, parentId, data: { emoji } }])
      })
      return list(ctx, principal, { commentId })
    }
  )
  app.delete(
    '/v1/issue_comments/:id/reactions/:emoji',
    {
      config: { scope: writeScope },
      schema: {
        tags,
        summary: 'Take one’s reaction to a comment back',
        params: Closed({ ...ofComment.properties, emoji: EmojiName }),
        response: answers(200, Reactions)
      }
    },
    async ({ principal, params: { id: commentId, emoji } }) => {
      const { workspaceId, accountId } = principal
      await transaction(async trx => {
        const parentId = await lockIssue(ctx, trx, principal, commentId)
        const isRemoved = await removeReaction(trx, workspaceId, { commentId, emoji, accountId })
        if (isRemoved) {
          await ctx.emit(trx, reactionRemoved, principal, [{ subjectId: commentId, parentId, data: { emoji } }])
        }
      })
      return list(ctx, principal, { commentId })
    }
  )
}

/** Locks the issue of a comment, which stays readable until the transaction ends. @throws 403, 404 */
async function lockIssue({ use: { comments, issues } }: Ctx, trx: Trx, principal: Principal, id: Id): Promise<Id> {
  const { issueId } = await comments.find(principal, trx, id)
  await issues.lock(principal, trx, [issueId])
  await comments.find(principal, trx, id)
  return issueId
}

/** The token of a run reads and writes reactions where it reads and writes comments. */
function rules({ db, use: { issues, comments } }: Ctx): Record<string, ConfinementRule> {
  const ofComment = (access: 'read' | 'write'): ConfinementRule => ({
    allows: access === 'read' ? `those of ${ISSUES_IN_REACH}` : 'those of its issue and sub-issues',
    async check({ principal, params }) {
      const { issueId } = await comments.find(principal, db, fieldOf(params, 'id') ?? '')
      await issues.assertReach(principal, db, issueId, access)
    }
  })
  return {
    'GET /v1/issues/:issueId/reactions': {
      allows: `those of ${ISSUES_IN_REACH}`,
      check: ({ principal, params }) => issues.assertReach(principal, db, fieldOf(params, 'issueId') ?? '', 'read')
    },
    'GET /v1/issue_comments/:id/reactions': ofComment('read'),
    'POST /v1/issue_comments/:id/reactions': ofComment('write'),
    'DELETE /v1/issue_comments/:id/reactions/:emoji': ofComment('write')
  }
}
