import { verify } from '@octokit/webhooks-methods'
import { Type, type Static } from 'typebox'
import { invalid } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, IdText } from '../../core/api/schemas.ts'
import { guardOf } from '../../core/api/http.ts'
import type { Hook } from './acting.ts'
import type { Ctx, Trx } from './context.ts'
import { badSignature } from './contract.ts'
import { handlePull, PullEvent } from './pulls/pulls.ts'
import { readPullTexts } from './pulls/texts.ts'
import { handlePush, PushEvent } from './pushes.ts'
import { addDelivery, findHook } from './queries.ts'

/** Maximum bytes of a delivery; only pushes of thousands of commits are larger. */
const MAX_DELIVERY_BYTES = 4 * 1024 * 1024
/** For unknown hooks, which thus take as long as existing ones. */
const NO_SECRET = 'no secret of any hook'
const Headers = Type.Object({
  'x-hub-signature-256': Type.String({ minLength: 1, maxLength: 200 }),
  'x-github-delivery': Type.String({ minLength: 1, maxLength: 200 }),
  'x-github-event': Type.String({ minLength: 1, maxLength: 100 })
})
const Outcome = Closed({
  outcome: Type.Enum(['handled', 'repeated', 'ignored'], {
    description: '`repeated`: it was handled before; `ignored`: an event that says nothing of issues.'
  })
})

export function deliveryRoutes(app: App, ctx: Ctx): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_DELIVERY_BYTES }, (_request, body, done) => {
    done(null, body)
  })
  app.post(
    '/v1/git/github/:hookId',
    {
      bodyLimit: MAX_DELIVERY_BYTES,
      config: { public: true },
      schema: {
        tags: ['git'],
        summary: 'Take a delivery of a GitHub webhook',
        description:
          'Signed with the secret of the hook (`X-Hub-Signature-256`); each delivery has an effect once. Pushes and ' +
          'pull requests link the issues whose keys they name; `Closes ENG-12` in a pull request closes when it is ' +
          'merged.',
        params: Closed({ hookId: IdText }),
        headers: Headers,
        response: answers(200, Outcome)
      }
    },
    async ({ params, headers, body, protocol, host }): Promise<Static<typeof Outcome>> => {
      const text = Buffer.isBuffer(body) ? body.toString('utf8') : ''
      const signature = headers['x-hub-signature-256']
      const hook = await findHook(ctx.db, params.hookId)
      // The library refuses an empty text.
      const isSigned = await verify(hook?.secret ?? NO_SECRET, text === '' ? ' ' : text, signature)
      if (!hook || !isSigned) {
        throw badSignature('There is no such hook, or the signature is not made with its secret over this body.')
      }
      const site = ctx.use.address.publicUrl ?? `${protocol}://${host}`
      const handle = await handlerOf(ctx, headers['x-github-event'], parse(text), site)
      if (handle === undefined) return { outcome: 'ignored' }
      const delivery = { deliveryId: headers['x-github-delivery'], signature, at: ctx.now() }
      return ctx.transaction(async trx => {
        if (!(await addDelivery(trx, hook, delivery))) return { outcome: 'repeated' as const }
        await handle(trx, hook)
        return { outcome: 'handled' as const }
      })
    }
  )
}

/** @throws 400 */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The body is no JSON: set the content type of the webhook to application/json.')
  }
}

/**
 * The handler of a delivery; undefined for events that do not concern issues.
 * @param site where browsers reach this server
 * @throws 400
 */
async function handlerOf(
  ctx: Ctx,
  event: string,
  payload: unknown,
  site: string
): Promise<((trx: Trx, hook: Hook) => Promise<void>) | undefined> {
  if (event === 'push') {
    const push = checked(isPush, event, payload)
    return (trx, hook) => handlePush(ctx, trx, hook, push)
  }
  if (event === 'pull_request') {
    const pull = checked(isPull, event, payload)
    const texts = await readPullTexts(pull.pull_request, site)
    return (trx, hook) => handlePull(ctx, trx, hook, pull, texts)
  }
  return undefined
}

const isPush = guardOf(PushEvent)
const isPull = guardOf(PullEvent)

/** @throws 400 */
function checked<T>(isValid: (payload: unknown) => payload is T, event: string, payload: unknown): T {
  if (!isValid(payload)) throw invalid(`This is no payload of the event '${event}' that is known here.`)
  return payload
}
