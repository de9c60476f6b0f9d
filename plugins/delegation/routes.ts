import { Type } from 'typebox'
import { confinementRules } from '../../core/api/confinement.ts'
import { invalid } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, IdText } from '../../core/api/schemas.ts'
import { runRules } from './confinement.ts'
import { OUTPUT_TYPES, RUN_STATUSES, TIMELINE_TYPES, type RunStatus } from './contract.ts'
import type { Ctx } from './context.ts'
import { findRun, listEvents, listRuns } from './queries/listing.ts'
import { runnersFor } from './runners/choice.ts'
import { reviewRoutes } from './reviews/routes.ts'
import { requestRun } from './runs/requests.ts'
import type { Runs } from './runs/runs.ts'
import { EventPage, NewRun, Run, RunEvent, RunFilter, RunnerNames, RunnersQuery, RunStep } from './schemas.ts'

const tags = ['delegation']
const params = Closed({ id: IdText })

export function runRoutes(app: App, ctx: Ctx, runs: Runs): void {
  confinementRules(app, runRules(ctx))
  readRoutes(app, ctx)
  followRoutes(app, ctx)
  changeRoutes(app, ctx, runs)
  reviewRoutes(app, ctx)
}

function changeRoutes(app: App, ctx: Ctx, runs: Runs): void {
  const { db } = ctx
  app.post(
    '/v1/agent_runs',
    {
      schema: {
        tags,
        summary: 'Hand a ready issue to the service’s own agent',
        description:
          'Not ready: 409 `NOT_READY` with `reasons: [{code, message}]`. No runner configured: 409 `NOT_CONFIGURED`.',
        body: NewRun,
        response: answers(201, Run)
      }
    },
    async ({ principal, body }, reply) =>
      reply.code(201).send(
        await ctx.transaction(trx =>
          requestRun(ctx, trx, principal, body.issueId, {
            instructions: body.instructions ?? null,
            runner: body.runner
          })
        )
      )
  )

  app.post(
    '/v1/agent_runs/:id/cancel',
    {
      schema: {
        tags,
        summary: 'Cancel a run',
        description: 'Its token dies at once, its processes within seconds.',
        params,
        body: Closed({}),
        response: answers(200, Run)
      }
    },
    async ({ principal, params }) => {
      await runs.cancel(principal, params.id)
      return findRun(db, principal.workspaceId, params.id)
    }
  )
}

function readRoutes(app: App, ctx: Ctx): void {
  const {
    db,
    use: { issues }
  } = ctx
  app.get(
    '/v1/agent_runners',
    {
      schema: {
        tags,
        summary: 'The runners that an issue may get',
        description: 'The first is the one that a request of the caller gets without a choice.',
        querystring: RunnersQuery,
        response: answers(200, RunnerNames)
      }
    },
    async ({ principal, query }) => {
      const { id } = await issues.find(principal, db, query.issueId)
      const names = await runnersFor(ctx, principal, db, id, principal.fullname)
      return names.map(name => ({ name }))
    }
  )

  app.get(
    '/v1/agent_runs',
    {
      schema: { tags, summary: 'Runs, newest first', querystring: RunFilter, response: answers(200, Type.Array(Run)) }
    },
    async ({ principal, query }) => {
      const { workspaceId } = principal
      const { issueId, status, ...page } = query
      const issue = issueId === undefined ? undefined : await issues.find(principal, db, issueId)
      return listRuns(db, workspaceId, {
        ...page,
        issueId: issue?.id,
        status: status === undefined ? undefined : statuses(status)
      })
    }
  )

  app.get(
    '/v1/agent_runs/:id',
    { schema: { tags, summary: 'A run', params, response: answers(200, Run) } },
    async ({ principal, params }) => findRun(db, principal.workspaceId, params.id)
  )
}

function followRoutes(app: App, { db }: Ctx): void {
  app.get(
    '/v1/agent_runs/:id/events',
    {
      schema: {
        tags,
        summary: 'The output of a run, in order',
        description:
          'Its states and its output, with secrets masked. To follow it, ask again with the last `seq` as `after`.',
        params,
        querystring: EventPage,
        response: answers(200, Type.Array(RunEvent))
      }
    },
    async ({ principal: { workspaceId }, params, query }) => {
      const { id } = await findRun(db, workspaceId, params.id)
      const events = await listEvents(db, workspaceId, id, OUTPUT_TYPES, query)
      return events.map(({ name: _, ...event }) => event)
    }
  )

  app.get(
    '/v1/agent_runs/:id/steps',
    {
      schema: {
        tags,
        summary: 'The steps of a run, in order',
        description:
          'Its states, and what its agent’s client says on standard output: messages, tools, changed files ' +
          'and failures, shortened, with secrets masked. It reads the lines of Claude Code, Codex and opencode. To ' +
          'follow it, ask again with the last `seq` as `after`.',
        params,
        querystring: EventPage,
        response: answers(200, Type.Array(RunStep))
      }
    },
    async ({ principal: { workspaceId }, params, query }) => {
      const { id } = await findRun(db, workspaceId, params.id)
      return listEvents(db, workspaceId, id, TIMELINE_TYPES, query)
    }
  )
}

function statuses(text: string): RunStatus[] {
  const words = text.split(',').map(word => word.trim().toUpperCase())
  const known = words.filter(word => (RUN_STATUSES as readonly string[]).includes(word)) as RunStatus[]
  if (known.length < words.length) {
    throw invalid(`query.status must be one of: ${RUN_STATUSES.join(', ')}; or several of them, separated by commas.`, {
      field: 'status'
    })
  }
  return known
}
