import { sql, type Kysely } from 'kysely'
import t from 'tap'
import { Type } from 'typebox'
import { contract, problem } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { definePlugin, dependsOn } from '../../../core/api/plugin.ts'
import { problems } from '../../../core/api/points.ts'
import { answers, Closed, IdText } from '../../../core/api/schemas.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { issues, rowSections } from '../../issues/contract.ts'
import { workspace } from '../../workspace/contract.ts'
import { commentChanges, comments, commentSections } from '../contract.ts'

/* A plugin that adds stickers to comments, using only the contracts of others. */

interface ReactionsTables {
  sticker: { workspaceId: Id; commentId: Id; issueId: Id; emoji: string }
}
const reactions = contract<object, ReactionsTables>()('stickers')
const frozen = problem(409, 'FROZEN')
const Reaction = Closed({ commentId: IdText, emoji: Type.String({ minLength: 1, maxLength: 16 }) })
const Counts = Type.Array(Closed({ emoji: Type.String(), count: Type.Integer() }))

const plugin = definePlugin(dependsOn(reactions, { requires: [workspace, issues, comments] }), {
  summary: 'Reactions to comments',
  tables: { sticker: 'workspace' },
  migrations: {
    '001_stickers': async () => ({
      async up(db: Kysely<unknown>) {
        await sql`create table sticker (
          workspace_id uuid not null references workspace (id), comment_id uuid not null, issue_id uuid not null,
          emoji text not null, primary key (workspace_id, comment_id, emoji))`.execute(db)
      }
    })
  },
  register(ctx) {
    ctx.contribute(problems, frozen)
    ctx.contribute(commentSections, {
      name: 'reactions',
      schema: Counts,
      json: workspaceId => sql`
        (select coalesce(json_agg(json_build_object('emoji', c.emoji, 'count', c.n) order by c.emoji), '[]') from (
          select r.emoji, count(*) as n from sticker r
          where r.workspace_id = ${workspaceId} and r.comment_id = comment.id group by r.emoji) as c)`
    })
    ctx.contribute(rowSections, {
      name: 'reactionCount',
      schema: Type.Integer(),
      json: workspaceId =>
        sql`(select count(*) from sticker r where r.workspace_id = ${workspaceId} and r.issue_id = issue.id)`
    })
    ctx.contributeWith(commentChanges, ctx => [
      async ({ workspaceId }, trx, { kind, comments }) => {
        const ids = comments.map(({ id }) => id)
        const of = trx.selectFrom('sticker').where('workspaceId', '=', workspaceId).where('commentId', 'in', ids)
        const reacted = await of.select('emoji').execute()
        if (kind === 'updated' && reacted.length > 0) throw frozen('Somebody has reacted to it: write another comment.')
        if (kind !== 'deleted') return
        ctx.log.debug({ n: reacted.length }, 'reactions go with their comments')
        await trx.deleteFrom('sticker').where('workspaceId', '=', workspaceId).where('commentId', 'in', ids).execute()
      }
    ])
  },
  routes(app, { transaction, db, use }) {
    app.post(
      '/v1/stickers',
      { schema: { tags: ['reactions'], summary: 'React', body: Reaction, response: answers(201, Reaction) } },
      async ({ principal, body }, reply) => {
        const { id, issueId } = await use.comments.find(principal, db, body.commentId)
        const { workspaceId } = principal
        const reaction = { workspaceId, commentId: id, issueId, emoji: body.emoji }
        await transaction(trx => trx.insertInto('sticker').values(reaction).execute())
        return reply.code(201).send(body)
      }
    )
  }
})

interface Comment {
  id: string
  reactions: object[]
  replies: Comment[]
}
let server: TestServer
t.before(async () => {
  server = await testServer({ also: { stickers: async () => ({ default: plugin }) } })
})
t.teardown(() => server.close())

const file = () => server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Discussed' } })
const write = (key: string, parentId?: string) =>
  server.ok<Comment>(`/v1/issue_comments?issueId=${key}`, {
    body: { bodyMarkdown: 'Text', ...(parentId !== undefined && { parentId }) }
  })
const react = (commentId: string) => server.ok('/v1/stickers', { body: { commentId, emoji: '🎉' } })
const ONE = [{ emoji: '🎉', count: 1 }]
const rowOf = async (key: string) => {
  const { issues } = await server.ok<{ issues: Array<{ key: string; reactionCount: number }> }>('/v1/issues/filter', {
    body: { view: 'list' }
  })
  return issues.find(issue => issue.key === key)
}

t.test('a plugin adds a field to each comment and reply of a context', async t => {
  const { key } = await file()
  const comment = await write(key)
  const reply = await write(key, comment.id)
  await react(reply.id)
  const context = await server.ok<{ comments: Comment[] }>(`/v1/issues/${key}/context`)
  t.match(context.comments, [{ id: comment.id, reactions: [], replies: [{ id: reply.id, reactions: ONE }] }])
})

t.test('the field is in lists of comments, in a comment, and in the answer to a new one', async t => {
  const { key } = await file()
  const comment = await write(key)
  t.strictSame(comment.reactions, [])
  await react(comment.id)
  t.match(await server.ok(`/v1/issue_comments?issueId=${key}`), [{ reactions: ONE }])
  t.match(await server.ok(`/v1/issue_comments/${comment.id}`), { reactions: ONE })
})

t.test('a plugin adds a field to the rows of the board', async t => {
  const { key } = await file()
  t.equal((await rowOf(key))?.reactionCount, 0)
  await react((await write(key)).id)
  t.equal((await rowOf(key))?.reactionCount, 1)
  t.match(await server.ok(`/v1/issues/${key}?view=list`), { reactionCount: 1 })
})

t.test('the fields are in the OpenAPI document', async t => {
  const { paths } = await server.ok<{ paths: Record<string, object> }>('/openapi.json')
  t.match(JSON.stringify(paths['/v1/issue_comments/{id}']), '"reactions":{"type":"array"')
  t.match(JSON.stringify(paths['/v1/issues/filter']), '"reactionCount":{"type":"integer"')
})

t.test('a plugin refuses a change of a comment, which then has not happened', async t => {
  const { key } = await file()
  const { id } = await write(key)
  await react(id)
  const answer = await server.call(`/v1/issue_comments/${id}`, { body: { bodyMarkdown: 'Other' } })
  t.match(answer.json(), { statusCode: 409, code: 'FROZEN' })
  t.match(await server.ok(`/v1/issue_comments/${id}`), { bodyMarkdown: 'Text' })
})

t.test('what a plugin keeps about a comment goes with it and its replies, in the same transaction', async t => {
  const { key } = await file()
  const { id } = await write(key)
  await react((await write(key, id)).id)
  await server.ok(`/v1/issue_comments/${id}`, { method: 'DELETE' })
  t.equal((await rowOf(key))?.reactionCount, 0)
})

t.test('the comments service finds no comment of another workspace', async t => {
  const { key } = await file()
  const { id } = await write(key)
  const { token } = await server.otherWorkspace()
  const answer = await server.call('/v1/stickers', { token, body: { commentId: id, emoji: '🎉' } })
  t.equal(answer.statusCode, 404)
})
