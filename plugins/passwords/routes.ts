import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { conflict, forbidden } from '../../core/errors.ts'
import type { App } from '../../core/plugin.ts'
import { answers, Closed, IdText } from '../../core/schemas.ts'
import { readScope } from '../../core/scopes.ts'
import type { SignedIn } from '../../core/contract.ts'
import type { Ctx } from './context.ts'
import { wrongPassword } from './contract.ts'
import { countAttempt, forgetFailures } from './delays.ts'
import { hashPassword, isPassword } from './hashing.ts'
import { findCandidates, findHash, insertFirstHash, saveHash } from './queries/passwords.ts'

const MIN_PASSWORD_LENGTH = 10
const NewPassword = Type.String({
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: 256,
  description: `At least ${MIN_PASSWORD_LENGTH} characters, of any kind.`
})
const Password = Type.String({ minLength: 1, maxLength: 256 })
const SignedInAnswer = answers(200, Closed({ accountId: IdText }))

const tags = ['session']

export function passwordRoutes(app: App, ctx: Ctx): void {
  signInRoute(app, ctx)
  firstPasswordRoute(app, ctx)
  changePasswordRoute(app, ctx)
}

async function signIn({ sessions }: Ctx, request: FastifyRequest, reply: FastifyReply, account: SignedIn) {
  await sessions.open(request, reply, account)
  return { accountId: account.accountId }
}

function signInRoute(app: App, ctx: Ctx): void {
  app.post(
    '/v1/passwords/sign_in',
    {
      config: { signIn: true },
      schema: {
        tags,
        summary: 'Sign in with a password',
        description:
          'Sets the cookie of a session, which ends 30 days after its last use. ' +
          'Wrong passwords delay further attempts.',
        body: Closed({
          email: Type.String({ minLength: 1, maxLength: 320 }),
          password: Password,
          workspaceId: Type.Optional({ ...IdText, description: 'For people who are in several workspaces.' })
        }),
        response: SignedInAnswer
      }
    },
    async (request, reply) => {
      const { email, password, workspaceId } = request.body
      const attempt = { email, address: request.ip }
      await countAttempt(ctx, attempt)
      const candidates = await findCandidates(ctx.db, email, workspaceId)
      if (candidates.length === 0) await isPassword(password, undefined)
      for (const { hash, ...account } of candidates) {
        if (!(await isPassword(password, hash))) continue
        await forgetFailures(ctx, attempt)
        return signIn(ctx, request, reply, account)
      }
      throw wrongPassword('The e-mail address or the password is wrong.')
    }
  )
}

function firstPasswordRoute(app: App, ctx: Ctx): void {
  const { now, sessions, transaction } = ctx
  app.post(
    '/v1/passwords/first',
    {
      config: { signIn: true },
      schema: {
        tags,
        summary: 'Sign in for the first time, with a token',
        description:
          'Sets the password of a person who has no way to sign in yet, such as the administrator whose token the ' +
          'first start prints, or somebody who was added by one.',
        body: Closed({ token: Type.String({ minLength: 1, maxLength: 200 }), password: NewPassword }),
        response: SignedInAnswer
      }
    },
    async (request, reply) => {
      const principal = await ctx.principalOf(request.body.token.trim())
      if (!principal) {
        throw wrongPassword('This token is unknown, revoked or expired: ask an administrator for a new one.')
      }
      if (principal.kind !== 'PERSON') throw forbidden('This is the token of an agent, and only people sign in.')
      const hash = await hashPassword(request.body.password)
      await transaction(async trx => {
        if ((await sessions.hasLoginMethod(trx, principal)) || !(await insertFirstHash(trx, principal, hash, now()))) {
          throw conflict(
            'You already have a way to sign in: use it. If you forgot your password, ask an administrator.'
          )
        }
      })
      return signIn(ctx, request, reply, principal)
    }
  )
}

function changePasswordRoute(app: App, ctx: Ctx): void {
  const { db, now, sessions, transaction } = ctx
  app.post(
    '/v1/passwords',
    {
      config: { scope: readScope },
      schema: {
        tags,
        summary: 'Change your password',
        description: 'All your sessions end, except the one of this browser.',
        body: Closed({ currentPassword: Password, password: NewPassword }),
        response: SignedInAnswer
      }
    },
    async (request, reply) => {
      const { principal, body } = request
      if (principal.kind !== 'PERSON') throw forbidden('An agent has no password.')
      const attempt = { email: principal.accountId, address: request.ip }
      await countAttempt(ctx, attempt)
      const current = await findHash(db, principal)
      if (!(await isPassword(body.currentPassword, current?.hash))) {
        throw forbidden('The current password is wrong.')
      }
      await forgetFailures(ctx, attempt)
      const hash = await hashPassword(body.password)
      await transaction(async trx => {
        await saveHash(trx, principal, hash, now())
        await sessions.endAll(trx, principal)
      })
      return signIn(ctx, request, reply, principal)
    }
  )
}
