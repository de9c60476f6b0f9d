import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { forbidden, type ApiError } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { networkOf, runAsSharer } from '../../core/api/accounts.ts'
import { answers, Closed, IdText, Nullable } from '../../core/api/schemas.ts'
import { readScope } from '../../core/api/scopes.ts'
import { NIL_ID, workspacesById } from '../../core/api/database/queries.ts'
import type { SignedIn } from '../../core/api/contract.ts'
import type { Ctx } from './context.ts'
import { hasPassword, passwordChanged, severalWorkspaces, wrongPassword } from './contract.ts'
import { countAttempt, forgetFailures } from './delays.ts'
import { hashPassword, isPassword } from './hashing.ts'
import { findCandidates, findEmail, findHash, insertFirstHash, saveHash } from './queries/passwords.ts'

const MIN_PASSWORD_LENGTH = 10
const NewPassword = Type.String({
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: 256,
  description: `At least ${MIN_PASSWORD_LENGTH} characters, of any kind.`
})
const Password = Type.String({ minLength: 1, maxLength: 256 })
const SignedInAnswer = answers(
  200,
  Closed({
    accountId: IdText,
    email: Nullable(Type.String(), { description: 'With which this person signs in the next time.' })
  })
)

const tags = ['session']

export function passwordRoutes(app: App, ctx: Ctx): void {
  signInRoute(app, ctx)
  firstPasswordRoute(app, ctx)
  changePasswordRoute(app, ctx)
}

async function signIn(
  { db, use }: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  account: SignedIn,
  method: 'password' | 'token'
) {
  await use.sessions.open(request, reply, account, method)
  return { accountId: account.accountId, email: await findEmail(db, account) }
}

interface Candidate extends SignedIn {
  hash?: string
  /** Counts attempts, instead of the account. */
  key?: string
}
const NOBODY = { workspaceId: NIL_ID, accountId: NIL_ID }

/** @returns true if it is the candidate's password; an error when the attempt is too early */
async function tryPassword(ctx: Ctx, request: FastifyRequest, candidate: Candidate, password: string) {
  const place = await ctx.use.sessions.places.find(request, candidate)
  const attempt = { account: candidate.key ?? candidate.accountId, network: networkOf(request.ip), place }
  const refused = await countAttempt(ctx, attempt)
  if (refused) return refused
  if (!(await isPassword(password, candidate.hash, place !== undefined))) return false
  await forgetFailures(ctx, attempt)
  return true
}

/** @param wrong the candidates whose passwords were compared; for the others it was too early */
function noteFailure(
  { use }: Ctx,
  request: FastifyRequest<{ Body: { email: string } }>,
  candidates: readonly Candidate[],
  wrong: readonly Candidate[]
): void {
  const { email } = request.body
  const wasChecked = wrong.length > 0
  const tried = (wasChecked ? wrong : candidates).filter(({ key }) => key === undefined)
  use.sessions.failed(request, {
    method: 'password',
    reason: wasChecked ? (tried.length > 0 ? 'WRONG_PASSWORD' : 'UNKNOWN_ADDRESS') : 'TOO_MANY_ATTEMPTS',
    accounts: tried.map(({ workspaceId, accountId }) => ({ workspaceId, accountId })),
    wasChecked,
    // A text without @ may be a password, typed into the wrong field.
    ...(tried.length === 0 && email.includes('@') && { email })
  })
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
          'Wrong passwords delay further attempts from the same network. Where the account has signed in before (a ' +
          'browser, by its cookie `tracker_device`; a network, in the last 30 days), only attempts from there count. ' +
          'A password that fits in several workspaces is a 409, which lists them: send it again with the ' +
          '`workspaceId` of one.',
        body: Closed({
          email: Type.String({ minLength: 1, maxLength: 320 }),
          password: Password,
          workspaceId: Type.Optional({ ...IdText, description: 'For a password that fits in several workspaces.' })
        }),
        response: SignedInAnswer
      }
    },
    async (request, reply) => {
      const { email, password, workspaceId } = request.body
      const candidates: Candidate[] = await findCandidates(ctx.db, email, workspaceId)
      // An unknown address takes the same time as a known one.
      if (candidates.length === 0) candidates.push({ ...NOBODY, key: email.toLowerCase() })
      const fitting: SignedIn[] = []
      const wrong: Candidate[] = []
      let refused: ApiError | undefined
      for (const candidate of candidates) {
        const tried = await tryPassword(ctx, request, candidate, password)
        if (tried === true) fitting.push(candidate)
        else if (tried === false) wrong.push(candidate)
        else refused ??= tried
      }
      if (fitting.length > 0) return signIn(ctx, request, reply, await theOnly(ctx, fitting), 'password')
      noteFailure(ctx, request, candidates, wrong)
      throw refused ?? wrongPassword('The e-mail address or the password is wrong.')
    }
  )
}

/**
 * @param accounts at least one, whose password is proven
 * @throws 409, with their workspaces, for several
 */
async function theOnly({ db }: Ctx, [first, ...others]: SignedIn[]): Promise<SignedIn> {
  if (others.length === 0) return first!
  const workspaces = await workspacesById(
    db,
    [first!, ...others].map(({ workspaceId }) => workspaceId)
  )
  throw severalWorkspaces('You are in several workspaces: choose one, and send its workspaceId.', { workspaces })
}

function firstPasswordRoute(app: App, ctx: Ctx): void {
  const { db, emit, now, transaction } = ctx
  const { sessions } = ctx.use
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
      const principal = await ctx.use.access.principalOf(request.body.token.trim())
      if (!principal) {
        sessions.failed(request, { method: 'token', reason: 'TOKEN_INVALID' })
        throw wrongPassword('This token is unknown, revoked or expired: ask an administrator for a new one.')
      }
      if (principal.kind !== 'PERSON') throw forbidden('This is the token of an agent, and only people sign in.')
      const email = await findEmail(db, principal)
      if (email === null) {
        throw forbidden(
          'You have no e-mail address to sign in with: an administrator gives you one in Settings → People.'
        )
      }
      // The route is public, but the caller is known.
      const hash = await runAsSharer(principal, () => hashPassword(request.body.password))
      await transaction(async trx => {
        if ((await sessions.hasLoginMethod(trx, principal)) || !(await insertFirstHash(trx, principal, hash, now()))) {
          throw hasPassword(
            `You have a way to sign in, as ${email}: use it. If you forgot your password, ask an administrator.`,
            { email }
          )
        }
        const { accountId: subjectId } = principal
        const caller = { ...principal, address: request.ip }
        await emit(trx, passwordChanged, caller, [{ subjectId, data: { how: 'first' } }])
      })
      return signIn(ctx, request, reply, principal, 'token')
    }
  )
}

function changePasswordRoute(app: App, ctx: Ctx): void {
  const { db, emit, now, transaction } = ctx
  const { sessions } = ctx.use
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
      // A session is delayed by nobody else.
      const attempt = { account: principal.accountId, network: networkOf(request.ip), place: Buffer.from('session') }
      const { workspaceId, accountId } = principal
      const failed = { method: 'password', accounts: [{ workspaceId, accountId }] }
      const refused = await countAttempt(ctx, attempt)
      if (refused) {
        sessions.failed(request, { ...failed, reason: refused.code, wasChecked: false })
        throw refused
      }
      const current = await findHash(db, principal)
      if (!(await isPassword(body.currentPassword, current?.hash, true))) {
        sessions.failed(request, { ...failed, reason: 'WRONG_PASSWORD' })
        throw forbidden('The current password is wrong.')
      }
      await forgetFailures(ctx, attempt)
      const hash = await hashPassword(body.password)
      await transaction(async trx => {
        await saveHash(trx, principal, hash, now())
        await emit(trx, passwordChanged, principal, [{ subjectId: accountId, data: { how: 'changed' } }])
        await sessions.endAll(trx, principal, accountId)
      })
      return signIn(ctx, request, reply, principal, 'password')
    }
  )
}
