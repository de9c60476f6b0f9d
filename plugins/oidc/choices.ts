import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from './context.ts'
import { signInRefused } from './contract.ts'
import { findChoice, insertChoice, useChoice, type Identity } from './queries.ts'

const COOKIE = 'tracker_oidc_choice'
const CHOICE_SECONDS = 600

/** The identity is proven; its person chooses one of several workspaces. */
export async function keepChoice(
  { now, transaction, use: { sessions } }: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity
): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now().getTime() + CHOICE_SECONDS * 1000)
  await transaction(trx => insertChoice(trx, secret, identity, expiresAt))
  const cookie = { name: COOKIE, value: secret, seconds: CHOICE_SECONDS }
  sessions.cookies.write(request, reply, { ...cookie, sameSite: 'strict' })
}

/** Undefined without a pending choice. */
export async function readChoice({ db, now, use }: Ctx, request: FastifyRequest): Promise<Identity | undefined> {
  const secret = use.sessions.cookies.read(request, COOKIE)
  return secret === undefined ? undefined : findChoice(db, secret, now())
}

/** Ends a choice, which is made once. @throws 401 without one */
export async function endChoice(
  { now, transaction, use: { sessions } }: Ctx,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<Identity> {
  const secret = sessions.cookies.read(request, COOKIE) ?? ''
  sessions.cookies.write(request, reply, { name: COOKIE, value: '', sameSite: 'strict', seconds: 0 })
  const identity = await transaction(trx => useChoice(trx, secret, now()))
  if (identity === undefined) {
    throw signInRefused(
      `No workspace was chosen within ${CHOICE_SECONDS / 60} minutes, or not in this browser: sign in again.`
    )
  }
  return identity
}
