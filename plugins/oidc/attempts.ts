import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { Cookies } from '../../core/api/accounts.ts'
import type { Ctx } from './context.ts'
import { signInRefused } from './contract.ts'
import { insertAttempt, useAttempt } from './queries.ts'

const COOKIE = 'tracker_oidc'
const ATTEMPT_SECONDS = 600

const AttemptJson = Type.Object(
  {
    purpose: Type.Enum(['signIn', 'link']),
    state: Type.String(),
    nonce: Type.String(),
    codeVerifier: Type.String(),
    to: Type.String()
  },
  { additionalProperties: false }
)
export type Attempt = Static<typeof AttemptJson>

/** Stores an attempt: its secrets in a cookie, `Lax`, because the provider redirects back here. */
export async function keepAttempt(
  { now, transaction, use: { sessions } }: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  begun: Attempt
): Promise<void> {
  const expiresAt = new Date(now().getTime() + ATTEMPT_SECONDS * 1000)
  await transaction(trx => insertAttempt(trx, begun.state, expiresAt))
  sessions.cookies.write(request, reply, {
    name: COOKIE,
    value: Buffer.from(JSON.stringify(begun)).toString('base64url'),
    sameSite: 'lax',
    seconds: ATTEMPT_SECONDS
  })
}

/** @throws 401 without an attempt of this purpose and state */
export function readAttempt(
  cookies: Cookies,
  request: FastifyRequest,
  { purpose, state }: { purpose?: Attempt['purpose']; state: string | null }
): Attempt {
  const begun = parse(cookies.read(request, COOKIE))
  if (begun === undefined || begun.state !== state || (purpose !== undefined && begun.purpose !== purpose)) {
    throw notBegun()
  }
  return begun
}

/** It is used once, successful or not. @throws 401 when it was used, or has expired */
export async function endAttempt(
  { now, transaction, use: { sessions } }: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  { state }: Attempt
): Promise<void> {
  sessions.cookies.write(request, reply, { name: COOKIE, value: '', sameSite: 'lax', seconds: 0 })
  if (!(await transaction(trx => useAttempt(trx, state, now())))) throw notBegun()
}

const notBegun = () =>
  signInRefused(
    `This browser has not begun to sign in, or did so more than ${ATTEMPT_SECONDS / 60} minutes ago: begin again.`
  )

function parse(value: string | undefined): Attempt | undefined {
  if (value === undefined) return undefined
  try {
    const begun: unknown = JSON.parse(Buffer.from(value, 'base64url').toString())
    return Check(AttemptJson, begun) ? begun : undefined
  } catch {
    return undefined
  }
}
