import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Principal } from '../../core/api/contract.ts'
import { invalid, toApiError } from '../../core/api/errors.ts'
import { sendJson } from '../../core/api/http.ts'
import { newId } from '../../core/api/database/queries.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers } from '../../core/api/schemas.ts'
import { readScope } from '../../core/api/scopes.ts'
import { validSession } from '../../core/api/accounts.ts'
import { WrittenText } from '../../core/api/text.ts'
import { HARNESSES, sessionWork, type Harness, type SessionWork } from './contract.ts'
import { FORMATS, NOTHING, type HookInput } from './harnesses.ts'
import type { Ctx } from './context.ts'
import { makeSessionQueries, MAX_ISSUES, type SessionEvent } from './queries/sessions.ts'
import { Answers, Input, Query } from './schemas.ts'
import { answersText, listText, reminderText, startText } from './texts.ts'

/** @param begins true when the session starts */
type TakeAnswers = (begins: boolean) => Promise<string>

export function hookRoutes(app: App, ctx: Ctx): void {
  const { unmanagedDb } = ctx.use.database
  const [work] = ctx.contributions(sessionWork).map(({ item }) => item)
  const sessions = makeSessionQueries(work)
  tolerateFailures(app)

  addRoute(app, ctx, work, {
    name: 'session-start',
    summary: 'A session starts',
    description:
      'Answers the agent’s issues in progress, with how much of each definition of done is met, which of its claims ' +
      'have expired or were taken, the name of the session, and the answers to its questions.',
    response: Answers.told,
    async answer(format, { source }, event, written, takeAnswers, caller) {
      const begins = source !== 'compact'
      const issues = await sessions.all(unmanagedDb, { ...event, begins })
      const started = startText(issues, (await work?.listLost(caller, MAX_ISSUES)) ?? [], event.name, written)
      const text = written.explain(joinLines(started, await takeAnswers(begins)))
      return text === '' ? NOTHING : format.addContext('SessionStart', text)
    }
  })

  addRoute(app, ctx, work, {
    name: 'prompt',
    summary: 'A prompt is sent',
    description:
      'Answers the issues in progress of which the session was not reminded yet: ' +
      'all of them at the first prompt of a client that has no hook at the start. And answers to its questions.',
    response: Answers.told,
    async answer(format, _input, event, written, takeAnswers) {
      const issues = await sessions.untold(unmanagedDb, event)
      const list = issues.length === 0 ? '' : listText(issues, written)
      const text = written.explain(joinLines(await takeAnswers(false), list))
      return text === '' ? NOTHING : format.addContext('UserPromptSubmit', text)
    }
  })

  addRoute(app, ctx, work, {
    name: 'stop',
    summary: 'The agent wants to stop',
    description:
      'Asks to record where an issue in progress stands that the agent has not written to ' +
      'for 20 minutes of the session; once, until it writes again. An answer to its question makes it continue.',
    response: Answers.held,
    async answer(format, input, event, written, takeAnswers) {
      if (input.stop_hook_active === true || !format.canContinue(input)) return NOTHING
      const issues = await sessions.quiet(unmanagedDb, event)
      const reminder = issues.length === 0 ? '' : reminderText(issues, written)
      const text = written.explain(joinLines(await takeAnswers(false), reminder))
      return text === '' ? NOTHING : format.continueWith(text)
    }
  })
}

/** A hook's failure must not stop the agent's work. */
function tolerateFailures(app: App): void {
  // Invalid input is ignored,
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, objectIn(body as Buffer))
  })
  // and errors of the server become the empty answer.
  app.setErrorHandler((error, request, reply) => {
    const known = toApiError(error)
    if (known !== undefined && known.statusCode < 500) throw error
    request.log.error({ err: error }, 'a hook failed; its agent continues')
    return sendJson(reply.code(200), JSON.stringify(NOTHING))
  })
  app.addHook('preValidation', async ({ query }) => {
    if (!(query as { harness?: string }).harness) {
      throw invalid(`query.harness is missing: it must be one of: ${HARNESSES.join(', ')}.`, { field: 'harness' })
    }
  })
}

interface EventRoute {
  name: string
  summary: string
  description: string
  response: TSchema
  answer(
    format: (typeof FORMATS)[Harness],
    input: HookInput,
    event: SessionEvent,
    written: WrittenText,
    takeAnswers: TakeAnswers,
    caller: Principal
  ): Promise<object>
}
function addRoute(app: App, { now, use: { comments } }: Ctx, work: SessionWork | undefined, route: EventRoute): void {
  const { name, summary, description, response } = route
  app.post(
    `/v1/agent-hooks/${name}`,
    {
      config: { scope: readScope, sessions: false },
      schema: {
        tags: ['hooks'],
        summary,
        description,
        querystring: Query,
        body: Input,
        response: answers(200, response)
      }
    },
    async (
      { principal, query, body }: FastifyRequest<{ Querystring: { harness: Harness }; Body: HookInput }>,
      reply
    ) => {
      const format = FORMATS[query.harness]
      const { workspaceId, accountId } = principal
      const event = {
        workspaceId,
        id: newId(),
        accountId,
        harness: query.harness,
        name: validSession(format.session(body)) ?? '',
        begins: false,
        at: now()
      }
      const caller = { ...principal, ...(event.name !== '' && { session: event.name }) }
      // The only write of a hook, which no answer shows: the last activity of the agent in this session.
      if (event.name !== '' && principal.kind === 'AGENT') work?.seen(caller)
      const written = new WrittenText()
      const takeAnswers: TakeAnswers = async begins =>
        answersText((await comments?.takeAnswers(caller, { begins })) ?? [], written)
      return sendJson(reply, JSON.stringify(await route.answer(format, body, event, written, takeAnswers, caller)))
    }
  )
}

const joinLines = (...texts: string[]): string => texts.filter(text => text !== '').join('\n')

function objectIn(body: Buffer): object {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
