import type { Caller, SignedIn } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { conflict } from '../../core/api/errors.ts'
import type { Ctx, Trx } from './context.ts'
import { identityLinked, signInRefused } from './contract.ts'
import type { SignedInThere } from './provider.ts'
import { deleteOfRemoved, findPeople, firstWorkspace, hasAddress, insertIdentity, type Identity } from './queries.ts'

/** One in each workspace. @throws 401 when there is none, and none may be created */
export async function peopleOf(ctx: Ctx, there: SignedInThere): Promise<SignedIn[]> {
  const people = await findPeople(ctx.db, there.identity)
  if (people.length > 0) return people
  if (!ctx.settings.createAccounts) {
    throw signInRefused(
      'Nobody here has this identity: sign in otherwise and link it in Settings → Single sign-on, or ask an ' +
        'administrator.'
    )
  }
  return [await join(ctx, there)]
}

async function join(ctx: Ctx, { identity, profile }: SignedInThere): Promise<SignedIn> {
  const { email, fullname = email, isUnverified } = await profile()
  if (email === undefined || fullname === undefined) {
    throw signInRefused(`${ctx.settings.name} names no e-mail address for you: ask an administrator to add you.`)
  }
  if (isUnverified) {
    throw signInRefused(
      `${ctx.settings.name} has not verified your e-mail address: verify it there, or ask an administrator to add you.`
    )
  }
  const { id: workspaceId } = await firstWorkspace(ctx.db)
  // An e-mail address proves no identity: the account's owner links the identity from a session.
  if (await hasAddress(ctx.db, workspaceId, email)) {
    throw signInRefused(
      'An account here has your e-mail address: if it is yours, sign in with another method and link this ' +
        'identity in Settings → Single sign-on.'
    )
  }
  const caller = ctx.asServer(workspaceId)
  return ctx.transaction(async trx => {
    const accountId = await ctx.use.workspace.addPerson(caller, trx, { email, fullname })
    await link(ctx, trx, caller, accountId, identity)
    return { workspaceId, accountId }
  })
}

/** @throws 409 when it is linked already */
export async function link(ctx: Ctx, trx: Trx, caller: Caller, accountId: Id, { issuer, subject }: Identity) {
  const { workspaceId } = caller
  const identity = { issuer, subject }
  await deleteOfRemoved(trx, workspaceId, identity)
  const linked = await insertIdentity(trx, { workspaceId, accountId }, identity, ctx.now())
  if (!linked) throw conflict('This identity is already linked to an account: unlink it there first.')
  await ctx.emit(trx, identityLinked, caller, [{ subjectId: linked.id, accountId, data: { accountId, issuer } }])
  return linked
}
