import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, IdText } from '../../../core/api/schemas.ts'
import type { Ctx } from '../context.ts'
import { Acceptance, ResultLink, Retry, Return, Run } from '../schemas.ts'
import { acceptResult, linkResult, retryRun, sendBack } from './reviews.ts'

const tags = ['delegation']
const params = Closed({ id: IdText })

export function reviewRoutes(app: App, ctx: Ctx): void {
  retryRoutes(app, ctx)
  endRoutes(app, ctx)
}

function retryRoutes(app: App, ctx: Ctx): void {
  app.post(
    '/v1/agent_runs/:id/retry',
    {
      schema: {
        tags,
        summary: 'Try a run again, with a hint',
        description:
          'Another run of its issue, which must be ready. The agent gets the instructions of the run before, the ' +
          'hint, and how that run ended.',
        params,
        body: Retry,
        response: answers(201, Run)
      }
    },
    async ({ principal, params, body }, reply) => reply.code(201).send(await retryRun(ctx, principal, params.id, body))
  )

  app.post(
    '/v1/agent_runs/:id/result',
    {
      schema: {
        tags,
        summary: 'Link the work of a run',
        description:
          'By the run itself, with its token, while it runs: a branch, the address of a pull request, or both. ' +
          'The last link counts. The issue of a run that succeeds so is not ready before its work is reviewed.',
        params,
        body: ResultLink,
        response: answers(200, Run)
      }
    },
    async ({ principal, params, body }) => linkResult(ctx, principal, params.id, body)
  )
}

function endRoutes(app: App, ctx: Ctx): void {
  app.post(
    '/v1/agent_runs/:id/accept',
    {
      schema: {
        tags,
        summary: 'Accept the work of a run',
        description:
          'Completes its issue, as the rule of the team for closing allows, unless it is closed already. Not for the ' +
          'agent of the run.',
        params,
        body: Acceptance,
        response: answers(200, Run)
      }
    },
    async ({ principal, params, body }) => acceptResult(ctx, principal, params.id, body.override)
  )

  app.post(
    '/v1/agent_runs/:id/send_back',
    {
      schema: {
        tags,
        summary: 'Send the work of a run back to the agent',
        description:
          'The text becomes a comment, the issue is to do again, and another run begins, which is answered: its ' +
          'agent gets the text. Not for the agent of the run.',
        params,
        body: Return,
        response: answers(201, Run)
      }
    },
    async ({ principal, params, body }, reply) =>
      reply.code(201).send(await sendBack(ctx, principal, params.id, body.text))
  )
}
