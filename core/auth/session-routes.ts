import fp from 'fastify-plugin'
import { Type } from 'typebox'
import type { Kysely, Transaction } from 'kysely'
import type { CoreTables } from '../api/database/types.ts'
import type { App } from '../api/plugin.ts'
import { answers, Closed, IdText, Nullable } from '../api/schemas.ts'
import { readScope } from '../api/scopes.ts'
import type { Sessions } from './sessions.ts'

const tags = ['session']

interface SessionRoutesOptions {
  sessions: Sessions
  db: Kysely<CoreTables>
  transaction<T>(work: (trx: Transaction<CoreTables>) => Promise<T>): Promise<T>
  /** Readers of the cursor of this moment in the event log. */
  eventCursors(): ReadonlyArray<() => Promise<string>>
}

const Session = Closed({
  account: Nullable(Closed({ id: IdText, fullname: Type.String(), role: Type.Enum(['ADMIN', 'MEMBER']) }), {
    description: 'Null: nobody is signed in.'
  }),
  workspace: Nullable(Closed({ id: IdText, name: Type.String() })),
  eventCursor: Nullable(Type.String(), {
    description:
      'For `after` of `GET /v1/events`: what changes after this answer is there. Null: nobody is signed in, or the ' +
      'plugin `events` is off.'
  })
})

/** The signed-in person, and signing out. Plugins with login methods have the routes for signing in. */
export const sessionRoutes = fp<SessionRoutesOptions>(
  async (scope, { sessions, db, transaction, eventCursors }) => {
    const app = scope as unknown as App
    app.get(
      '/v1/session',
      {
        config: { public: true },
        schema: {
          tags,
          summary: 'Who is signed in with this browser',
          description: 'Never a 401, so that a page can ask before anybody has signed in.',
          response: answers(200, Session)
        }
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const current = await sessions.principalOf(request)
        // The visited workspace may have been removed.
        const principal = current ?? (await sessions.goBack(request, reply))
        if (!principal) return { account: null, workspace: null, eventCursor: null }
        if (current) sessions.renew(request, reply)
        const { workspaceId: id, accountId, fullname, role } = principal
        const { name } = await db.selectFrom('workspace').select('name').where('id', '=', id).executeTakeFirstOrThrow()
        return {
          account: { id: accountId, fullname, role },
          workspace: { id, name },
          eventCursor: (await eventCursors()[0]?.()) ?? null
        }
      }
    )
    signOutRoutes(app, sessions, transaction)
  },
  { name: 'session-routes' }
)

function signOutRoutes(app: App, sessions: Sessions, transaction: SessionRoutesOptions['transaction']): void {
  app.post(
    '/v1/session/sign_out',
    {
      config: { scope: readScope },
      schema: {
        tags,
        summary: 'Sign out',
        description: 'Ends the session of this browser; access tokens stay.',
        body: Closed({}),
        response: answers(200, Closed({ signedOut: Type.Literal(true) }))
      }
    },
    async (request, reply) => {
      await sessions.end(request, reply)
      return { signedOut: true as const }
    }
  )

  app.post(
    '/v1/session/sign_out_everywhere',
    {
      config: { scope: readScope },
      schema: {
        tags,
        summary: 'Sign out everywhere',
        description: 'Ends all sessions of your account, in every browser; access tokens stay.',
        body: Closed({}),
        response: answers(200, Closed({ sessions: Type.Integer({ description: 'How many were ended.' }) }))
      }
    },
    async (request, reply) => {
      const { principal } = request
      const ended = await transaction(trx => sessions.endAll(trx, principal, principal.accountId))
      await sessions.end(request, reply)
      return { sessions: ended }
    }
  )
}
