import { Type } from 'typebox'
import { workspacesById } from '../../core/api/database/queries.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, IdText } from '../../core/api/schemas.ts'
import { endChoice, readChoice } from './choices.ts'
import type { Ctx } from './context.ts'
import { signInRefused } from './contract.ts'
import { findPeople } from './queries.ts'

const tags = ['session']

export function choiceRoutes(app: App, ctx: Ctx): void {
  app.get(
    '/v1/oidc/choice',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'The workspaces among which this browser chooses',
        description: 'After signing in at the provider with an identity that is in several workspaces; else none.',
        response: answers(200, Closed({ workspaces: Type.Array(Closed({ id: IdText, name: Type.String() })) }))
      }
    },
    async request => {
      const identity = await readChoice(ctx, request)
      const people = identity === undefined ? [] : await findPeople(ctx.db, identity)
      return {
        workspaces: await workspacesById(
          ctx.db,
          people.map(({ workspaceId }) => workspaceId)
        )
      }
    }
  )

  app.post(
    '/v1/oidc/choose',
    {
      config: { signIn: true },
      schema: {
        tags,
        summary: 'Sign in to one of the workspaces of an identity',
        description: 'Once, within 10 minutes of signing in at the provider. Sets the cookie of a session.',
        body: Closed({ workspaceId: IdText }),
        response: answers(200, Closed({ accountId: IdText }))
      }
    },
    async (request, reply) => {
      const identity = await endChoice(ctx, request, reply)
      const people = await findPeople(ctx.db, identity)
      const person = people.find(({ workspaceId }) => workspaceId === request.body.workspaceId)
      if (person === undefined) {
        ctx.use.sessions.failed(request, { method: 'oidc', reason: 'SIGN_IN_REFUSED' })
        throw signInRefused('Your identity is not in this workspace: sign in again, and choose one of yours.')
      }
      await ctx.use.sessions.open(request, reply, person, 'oidc')
      return { accountId: person.accountId }
    }
  )
}
