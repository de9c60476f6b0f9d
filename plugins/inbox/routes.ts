import type { Principal } from '../../core/api/contract.ts'
import { isId } from '../../core/api/database/queries.ts'
import { invalid } from '../../core/api/errors.ts'
import { sendJson } from '../../core/api/http.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers } from '../../core/api/schemas.ts'
import { writeScope } from '../../core/api/scopes.ts'
import type { Ctx } from './context.ts'
import { inboxRead, watchEnded, watchStarted } from './contract.ts'
import {
  countUnread,
  isWatching,
  listEntries,
  lockInboxes,
  markRead,
  setWatching,
  type PagePosition
} from './queries.ts'
import { Inbox, issueParams as params, Marked, Page, Read, tags, Watching } from './schemas.ts'

export function inboxRoutes(app: App, ctx: Ctx): void {
  listRoute(app, ctx)
  readRoute(app, ctx)
  watchStateRoute(app, ctx)
  watchRoutes(app, ctx)
}

function listRoute(app: App, { db }: Ctx): void {
  app.get(
    '/v1/inbox',
    {
      schema: {
        tags,
        summary: 'The entries of the caller’s inbox, newest first',
        description:
          'Questions to it (`asked`), answers to its own, mentions, assignments, and of the issues that it watches ' +
          'runs that failed, claims that expired, and closing with unmet criteria. One entry per subject and reason: ' +
          'a repeated one moves to the top, unread.',
        querystring: Page,
        response: answers(200, Inbox)
      }
    },
    async ({ principal, query }, reply) => {
      const { workspaceId, accountId } = principal
      const { limit, unread, cursor } = query
      const after = cursor === undefined ? undefined : placeOf(cursor)
      const rows = await listEntries(db, workspaceId, accountId, { unread, after, limit: limit + 1 })
      const entries = rows.slice(0, limit)
      const nextCursor = rows.length > limit ? cursorOf(entries.at(-1)!) : null
      const end = JSON.stringify({ unread: await countUnread(db, workspaceId, accountId), nextCursor })
      return sendJson(reply, `{"entries":[${entries.map(({ json }) => json).join(',')}],${end.slice(1)}`)
    }
  )
}

function readRoute(app: App, ctx: Ctx): void {
  app.post(
    '/v1/inbox/read',
    {
      schema: {
        tags,
        summary: 'Mark entries of the caller’s inbox as read',
        body: Read,
        response: answers(200, Marked)
      }
    },
    async ({ principal, body: { ids, before } }) => {
      if ((ids === undefined) === (before === undefined)) {
        throw invalid('Send body.ids, the entries to mark, or body.before, a moment up to which all are marked.', {
          field: 'ids'
        })
      }
      const { workspaceId, accountId } = principal
      const marked = ids === undefined ? { before: new Date(before!) } : { ids }
      return ctx.transaction(async trx => {
        await lockInboxes(trx, workspaceId, [accountId])
        const { length: count } = await markRead(trx, workspaceId, marked, { accountId, at: ctx.now() })
        if (count > 0) {
          await ctx.emit(trx, inboxRead, principal, [{ subjectId: accountId, accountId, data: { count } }])
        }
        return { read: count }
      })
    }
  )
}

function watchStateRoute(app: App, ctx: Ctx): void {
  app.get(
    '/v1/issues/:issueId/watch',
    {
      schema: {
        tags,
        summary: 'Whether the caller watches an issue',
        description: 'Its creator and its assignee watch it by default.',
        params,
        response: answers(200, Watching)
      }
    },
    async ({ principal, params }) => {
      const { id: issueId } = await ctx.use.issues.find(principal, ctx.db, params.issueId)
      const { workspaceId, accountId } = principal
      return { issueId, watching: await isWatching(ctx.db, workspaceId, issueId, accountId) }
    }
  )
}

function watchRoutes(app: App, ctx: Ctx): void {
  async function watch(principal: Principal, ref: string, watching: boolean) {
    const { workspaceId, accountId } = principal
    const { id: issueId, key } = await ctx.use.issues.find(principal, ctx.db, ref)
    await ctx.transaction(async trx => {
      const isChanged = await setWatching(trx, { workspaceId, issueId, accountId, isWatching: watching })
      const type = watching ? watchStarted : watchEnded
      if (isChanged) {
        await ctx.emit(trx, type, principal, [{ subjectId: issueId, subjectKey: key, accountId, data: {} }])
      }
    })
    return { issueId, watching }
  }

  app.post(
    '/v1/issues/:issueId/watch',
    {
      schema: {
        tags,
        summary: 'Watch an issue',
        description: 'Creator, assignee, commenters and mentioned accounts watch without it.',
        params,
        response: answers(200, Watching)
      }
    },
    ({ principal, params }) => watch(principal, params.issueId, true)
  )

  app.delete(
    '/v1/issues/:issueId/watch',
    {
      // Nothing is removed that others see.
      config: { scope: writeScope },
      schema: {
        tags,
        summary: 'Watch an issue no longer',
        description:
          'Also for one who watches it by themselves. Questions, answers, mentions and assignments are told anyway.',
        params,
        response: answers(200, Watching)
      }
    },
    ({ principal, params }) => watch(principal, params.issueId, false)
  )
}

const cursorOf = ({ at, id }: PagePosition): string => Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')

/** @throws 400 */
function placeOf(cursor: string): PagePosition {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const at = new Date(time)
  if (Number.isNaN(at.getTime()) || !isId(id)) {
    throw invalid('query.cursor is none that this listing has answered: begin again without it.', { field: 'cursor' })
  }
  return { at, id }
}
