import { fastifySSE, type SSEReplyInterface } from '@fastify/sse'
import fp from 'fastify-plugin'
import type { Kysely } from 'kysely'
import { Type, type Static } from 'typebox'
import type { Principal } from '../../api/contract.ts'
import { isId } from '../../db/sql.ts'
import type { CoreTables, Id } from '../../api/database/types.ts'
import { abbreviate, invalid } from '../../api/errors.ts'
import type { App } from '../../api/plugin.ts'
import type { SubjectLookup } from '../../api/points.ts'
import { Closed, IdText, Problem, Ref } from '../../api/schemas.ts'
import type { EventType } from '../contract.ts'
import { assertKept, decodeCursor, encodeCursor } from './cursor.ts'
import { settle } from '../horizon.ts'
import type { EventLog } from '../log.ts'
import { lastPosition, readVisible, removedTo, type EventFilter } from '../read.ts'
import { eventToJson, ShownEvent } from '../schemas.ts'
import type { EventStreams } from './streams.ts'

/** Milliseconds between comments that keep a stream open. */
const COMMENT_INTERVAL_MS = 15_000

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

interface EventRoutesOptions {
  events: EventLog
  db: Kysely<CoreTables>
  types: () => readonly EventType[]
  /** Look-ups for subjects that are given by name. */
  subjectLookups: () => readonly SubjectLookup[]
  streams: EventStreams
}

/** `GET /v1/events`, in pages and as a stream. */
export const eventRoutes = fp<EventRoutesOptions>(
  async (scope, { events, db, types, subjectLookups, streams }) => {
    const app = scope as unknown as App
    await scope.register(fastifySSE, { heartbeatInterval: COMMENT_INTERVAL_MS, serializer: (data: string) => data })
    // Before the server waits for its last requests.
    app.addHook('preClose', async () => streams.close())

    app.get(
      '/v1/events',
      {
        sse: 'dual',
        // HEAD would wait for the end of a stream.
        exposeHeadRoute: false,
        schema: {
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
      },
      async (request, reply) => {
        const { query, headers, principal } = request
        // Undefined unless the request accepts an event stream.
        const stream = reply.sse as SSEReplyInterface | undefined
        const cursor = (stream && headers['last-event-id']) ?? query.after
        const issueId = await issueIdOf(query.issueId, name => {
          const lookup = subjectLookups().find(({ type }) => type === 'issue')
          return lookup?.find(principal, db, name)
        })
        const filter = filterOf(query, issueId, types())
        const oldest = await removedTo(db)
        const after = cursor === undefined ? undefined : decodeCursor(cursor)
        if (after !== undefined) assertKept(after, oldest)
        if (stream) {
          await streams.open(request, reply, filter, after)
          return reply
        }
        const upTo = await newestPosition(db, events)
        return reply.send(await readPage(db, principal, { after: after ?? oldest, upTo, limit: query.limit }, filter))
      }
    )
  },
  { name: 'events' }
)

/** @throws 400 when it is neither an id nor a name that can be looked up; 404 */
async function issueIdOf(
  ref: string | undefined,
  find: (name: string) => Promise<Id> | undefined
): Promise<Id | undefined> {
  if (ref === undefined || isId(ref)) return ref?.toLowerCase()
  const id = find(ref)
  if (id === undefined) throw invalid('query.issueId must be a UUID.', { field: 'issueId' })
  return id
}

function filterOf(
  { types: list, actorId }: Static<typeof Query>,
  issueId: Id | undefined,
  types: readonly EventType[]
): EventFilter {
  return {
    types: list === undefined ? undefined : typesNamed(list, types),
    issueId,
    actorId: actorId?.toLowerCase()
  }
}

/** Waits for appending transactions, so that clients find their last change in the page. */
async function newestPosition(db: Kysely<CoreTables>, { horizon }: Pick<EventLog, 'horizon'>): Promise<number> {
  await settle(horizon)
  return lastPosition(db, horizon.decided)
}

async function readPage(
  db: Kysely<CoreTables>,
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

/** The types that match a comma-separated list of names and patterns. @throws 400 that lists the types */
export function typesNamed(list: string, types: readonly EventType[]): string[] {
  const names = types.map(({ name }) => name)
  const patterns = list.split(',').map(pattern => pattern.trim())
  return [
    ...new Set(
      patterns.flatMap(pattern => {
        const beginning = pattern.endsWith('*') ? pattern.slice(0, -1) : undefined
        const matches = names.filter(name => (beginning === undefined ? name === pattern : name.startsWith(beginning)))
        if (matches.length > 0) return matches
        throw invalid(`There are no events of the type '${abbreviate(pattern)}'; the types are: ${names.join(', ')}.`, {
          field: 'types'
        })
      })
    )
  ]
}
