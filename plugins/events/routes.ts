import { setTimeout as sleep } from 'node:timers/promises'
import { fastifySSE, type SSEReplyInterface } from '@fastify/sse'
import { Type, type Static } from 'typebox'
import type { Principal } from '../../core/api/contract.ts'
import { lastPosition, type Horizon } from '../../core/api/database/event-log.ts'
import { isId } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import { invalid } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { Closed, IdText, Problem, Ref } from '../../core/api/schemas.ts'
import type { Ctx, Db } from './context.ts'
import { eventToJson, ShownEvent, subjectLookups } from './contract.ts'
import { assertKept, decodeCursor, encodeCursor } from './cursor.ts'
import { openStreams } from './metrics.ts'
import { EventStreams } from './streams.ts'
import { typesNamed } from './types.ts'
import { readVisible, removedTo, type EventFilter } from './queries.ts'

const COMMENT_INTERVAL_MS = 15_000

/** Maximum wait of `settle` for transactions that are still appending: longer than most writes take. */
const MAX_SETTLE_MS = 250
const SETTLE_LOOK_MS = 5

const Query = Closed({
  after: Type.Optional(
    Type.String({ maxLength: 64, description: 'A cursor of an earlier answer: only later events. Without it: all.' })
  ),
  types: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Only these types, separated by commas; `issue.*` is all whose names begin so.'
    })
  ),
  issueId: Type.Optional(Ref('An issue’s UUID or key.')),
  actorId: Type.Optional(IdText),
  limit: Type.Integer({ default: 100, minimum: 1, maximum: 1000, description: 'Of a page.' })
})
const Page = Closed({
  events: Type.Array(ShownEvent),
  cursor: Type.String({ description: 'Send it as `after` to go on behind this page.' }),
  hasMore: Type.Boolean({ description: 'Whether there may be more behind this page already.' })
})

const schema = {
  tags: ['events'],
  summary: 'Events: pages of the event log, or a stream of it',
  description:
    'Pages begin with the oldest event. With `Accept: text/event-stream` the answer is a stream, from now on ' +
    'or, with `after` or the header `Last-Event-ID`, from there: each `id` is a cursor, each `data` an event ' +
    'as in a page; a comment comes every 15 seconds. A client that does not read is cut off, and resumes. ' +
    'While the server has as many streams as it may, another one is a 503 with `Retry-After`; while the ' +
    'token or the workspace has its share of them, a 429. ' +
    'The events of an issue are in order. A cursor older than the log: 410 `CURSOR_EXPIRED` with the ' +
    '`oldest`. A token gets the events of what it may read.',
  querystring: Query,
  headers: Type.Object({ 'last-event-id': Type.Optional(Type.String({ maxLength: 64 })) }),
  response: {
    200: {
      description: 'A page, or a stream of events',
      content: {
        'application/json': { schema: Page },
        'text/event-stream': { schema: Type.String() }
      }
    },
    '4xx': Problem,
    '5xx': Problem
  }
}

export async function eventRoutes(app: App, ctx: Ctx): Promise<void> {
  const { db, use } = ctx
  const { eventLog } = use
  await app.register(fastifySSE, { heartbeatInterval: COMMENT_INTERVAL_MS, serializer: (data: string) => data })
  const streams = new EventStreams({
    events: eventLog,
    db,
    log: ctx.log,
    gauge: ctx.get(openStreams),
    maxStreams: Math.floor(app.server.maxConnections / 2),
    authenticate: request => app.authenticate(request)
  })
  // Before the server waits for its last requests.
  app.addHook('preClose', async () => streams.close())

  app.get(
    '/v1/events',
    {
      sse: 'dual',
      // HEAD would wait for the end of a stream.
      exposeHeadRoute: false,
      schema
    },
    async (request, reply) => {
      const { query, headers, principal } = request
      // Undefined unless the request accepts an event stream.
      const stream = reply.sse as SSEReplyInterface | undefined
      const cursor = (stream && headers['last-event-id']) ?? query.after
      const filter = {
        issueId: await issueIdOf(query.issueId, principal, ctx),
        actorId: query.actorId?.toLowerCase(),
        types: query.types === undefined ? undefined : typesNamed(query.types, eventLog.types())
      }
      const oldest = await removedTo(db)
      const after = cursor === undefined ? undefined : decodeCursor(cursor)
      if (after !== undefined) assertKept(after, oldest)
      if (stream) {
        await streams.open(request, reply, filter, after)
        return reply
      }
      // Appending transactions are waited for, so that clients find their last change in the page.
      await settle(eventLog.horizon)
      const upTo = await lastPosition(db, eventLog.horizon.decided)
      return reply.send(await readPage(db, principal, { after: after ?? oldest, upTo, limit: query.limit }, filter))
    }
  )
}

/** @throws 400 when it is neither an id nor a name that can be looked up; 404 */
async function issueIdOf(ref: string | undefined, principal: Principal, ctx: Ctx): Promise<Id | undefined> {
  if (ref === undefined || isId(ref)) return ref?.toLowerCase()
  const lookup = ctx.contributions(subjectLookups).find(({ item }) => item.type === 'issue')
  if (lookup === undefined) throw invalid('query.issueId must be a UUID.', { field: 'issueId' })
  return lookup.item.find(principal, ctx.db, ref)
}

async function readPage(
  db: Db,
  principal: Principal,
  range: { after: number; upTo: number; limit: number },
  filter: EventFilter
): Promise<Static<typeof Page>> {
  const events = await readVisible(db, principal, range, filter)
  const hasMore = events.length === range.limit
  return {
    events: events.map(eventToJson),
    cursor: encodeCursor(hasMore ? events.at(-1)!.position : Math.max(range.after, range.upTo)),
    hasMore
  }
}

/** Everything that was committed before the call is then decided, or `MAX_SETTLE_MS` have passed. */
async function settle(horizon: Horizon): Promise<void> {
  await horizon.refresh()
  const { assigned } = horizon
  for (let waitedMs = 0; horizon.decided < assigned && waitedMs < MAX_SETTLE_MS; waitedMs += SETTLE_LOOK_MS) {
    await sleep(SETTLE_LOOK_MS)
    await horizon.refresh()
  }
}
