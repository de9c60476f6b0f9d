import { workspacesById } from '../../../core/api/database/queries.ts'
import type { Principal } from '../../../core/api/contract.ts'
import { forbidden, invalid } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed } from '../../../core/api/schemas.ts'
import { deleteScope, readScope } from '../../../core/api/scopes.ts'
import type { Ctx } from '../context.ts'
import { issuerOf } from '../protocol/addresses.ts'
import { approve, connectableAgents } from './approval.ts'
import { answerAddress, isProven, readAuthorization } from './authorization.ts'
import { Answer, Consent, Decision, Query } from './schemas.ts'

const tags = ['oauth']

/** @throws 403 for an agent */
export function assertPerson({ kind }: Principal): void {
  if (kind !== 'PERSON') throw forbidden('Only people connect clients: sign in with a browser.')
}

export function consentRoutes(app: App, ctx: Ctx): void {
  app.get(
    '/v1/oauth/consent',
    {
      schema: {
        tags,
        summary: 'The request of a client to act as an agent',
        description: 'Changes nothing. A 400 names what is wrong with the request; the browser stays here.',
        querystring: Closed({ query: Query }),
        response: answers(200, Consent)
      }
    },
    async request => {
      const { principal } = request
      assertPerson(principal)
      const authorization = await readAuthorization(ctx, request, request.query.query)
      const [workspace] = await workspacesById(ctx.db, [principal.workspaceId])
      return {
        client: { name: authorization.client.name, isProven: isProven(authorization) },
        redirectHost: authorization.redirectHost,
        workspace: workspace!,
        scopes: ctx.use.access.scopes().map(({ name, summary }) => ({
          name,
          summary,
          isSelected: authorization.scopes.includes(name) && name !== deleteScope.name
        })),
        agents: await connectableAgents(ctx, ctx.db, principal),
        mayCreateAgent: principal.role === 'ADMIN'
      }
    }
  )
  decisionRoute(app, ctx)
}

function decisionRoute(app: App, ctx: Ctx): void {
  app.post(
    '/v1/oauth/consent',
    {
      config: { scope: readScope },
      schema: {
        tags,
        summary: 'Let a client act as an agent, or refuse it',
        description:
          'Answers the address of the client, with a code that is valid once, for one minute. In a browser only ' +
          'pages of this server may send it.',
        body: Decision,
        response: answers(200, Answer)
      }
    },
    async request => {
      const { principal, body } = request
      assertPerson(principal)
      const { query, isApproved, ...approval } = body
      const authorization = await readAuthorization(ctx, request, query)
      const issuer = issuerOf(ctx, request)
      if (!isApproved) return { redirectTo: answerAddress(authorization, issuer, { error: 'access_denied' }) }
      if ((approval.agentId === undefined) === (approval.newAgent === undefined)) {
        throw invalid('Send either agentId, or newAgent.', { field: 'agentId' })
      }
      const { code, grantId } = await approve(ctx, principal, authorization, approval)
      return { redirectTo: answerAddress(authorization, issuer, { code }), grantId }
    }
  )
}
