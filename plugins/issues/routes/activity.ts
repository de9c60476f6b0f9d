import { Type, type Static } from 'typebox'
import { cursorOf, placeOf } from '../../../core/api/http.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, IdText, Nullable, Time } from '../../../core/api/schemas.ts'
import { one, tags, type RouteContext } from './answers.ts'
import { fold, withoutCutEntry, type Entry } from '../activity/fold.ts'
import { filedBy, listChanges } from '../activity/queries.ts'

/** Most bytes of a page: titles are long, and an entry may have many changes. */
const MAX_PAGE_BYTES = 256 * 1024

const ActivityEntry = Closed({
  at: Time,
  since: Type.Optional(Type.String({ format: 'date-time', description: 'The first change, where there are several.' })),
  actor: Closed({ id: IdText, fullname: Type.String() }),
  rev: Type.Optional(Type.Integer({ description: 'The revision of the issue after the last change.' })),
  changes: Type.Array(
    Closed({
      change: Type.String({ description: 'The name of the field, or `filed`.' }),
      from: Nullable(Type.String()),
      to: Nullable(Type.String())
    })
  )
})

export function activityRoute(app: App, { ctx: { db }, find }: RouteContext): void {
  app.get(
    '/v1/issues/:issueId/activity',
    {
      schema: {
        tags,
        summary: 'What happened to an issue, newest first',
        description:
          'The changes of all fields, with the names that they had then; of a description only that it changed. What ' +
          'one account changed with pauses of at most an hour is one entry, without what it undid. A page of `limit` ' +
          `changes ends earlier after ${MAX_PAGE_BYTES / 1024} KiB.`,
        params: one,
        querystring: Closed({
          limit: Type.Integer({ default: 50, minimum: 1, maximum: 200, description: 'Most changes of a page.' }),
          cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `nextCursor` of the page before.' }))
        }),
        response: answers(200, Closed({ activity: Type.Array(ActivityEntry), nextCursor: Nullable(Type.String()) }))
      }
    },
    async ({ principal, params, query: { limit, cursor } }) => {
      const { workspaceId } = principal
      const before = cursor === undefined ? undefined : placeOf(cursor)
      const issue = await find(principal, params.issueId)
      const rows = await listChanges(db, workspaceId, issue.id, { before, limit: limit + 1 })
      const n = Math.min(limit, numberWithin(rows))
      const isLast = n === rows.length
      const page = isLast ? rows : withoutCutEntry(rows.slice(0, n + 1))
      const activity = fold(page.toReversed()).reverse().map(entryJson)
      if (!isLast) return { activity, nextCursor: cursorOf(page.at(-1)!) }
      const { createdAt, ...actor } = await filedBy(db, workspaceId, issue.id)
      const filed = { at: createdAt.toISOString(), actor, changes: [{ change: 'filed', from: null, to: null }] }
      return { activity: [...activity, filed], nextCursor: null }
    }
  )
}

function numberWithin(rows: readonly object[]): number {
  let room = MAX_PAGE_BYTES
  const end = rows.findIndex((row, n) => (room -= Buffer.byteLength(JSON.stringify(row))) < 0 && n > 0)
  return end === -1 ? rows.length : end
}

function entryJson({ at, since, actor, rev, changes }: Entry): Static<typeof ActivityEntry> {
  return {
    at: at.toISOString(),
    ...(since < at && { since: since.toISOString() }),
    actor,
    ...(rev !== null && { rev }),
    changes
  }
}
