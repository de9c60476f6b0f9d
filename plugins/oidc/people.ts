import type { Caller, SignedIn } from '../../core/contract.ts'
import type { Id } from '../../core/db/tables.ts'
import { conflict } from '../../core/errors.ts'
import type { Ctx, Trx } from './context.ts'
import { identityLinked, signInRefused } from './contract.ts'
import type { Claims } from './provider.ts'
import { deleteOfRemoved, findPeople, firstWorkspace, hasAddress, insertIdentity, type Identity } from './queries.ts'

const MAX_FULLNAME_CHARACTERS = 200

/** The account of an identity. @throws 401 when it has none, and none may be created */
export async function personOf(ctx: Ctx, claims: Claims): Promise<SignedIn> {
  const [person] = await findPeople(ctx.db, claims)
  if (person) return person
  if (!ctx.settings.createAccounts) {
    throw signInRefused(
      'Nobody here has this identity: sign in otherwise and link it in Settings → Single sign-on, or ask an ' +
        'administrator.'
    )
  }
  return join(ctx, claims)
}

async function join(ctx: Ctx, claims: Claims): Promise<SignedIn> {
  const { email, fullname = email } = claims
  if (email === undefined || fullname === undefined) {
    throw signInRefused(`${ctx.settings.name} names no e-mail address for you: ask an administrator to add you.`)
  }
  const { id: workspaceId } = await firstWorkspace(ctx.db)
  // An e-mail address proves no identity: the account's owner links the identity from a session.
  if (await hasAddress(ctx.db, workspaceId, email)) {
    throw signInRefused(
      'Somebody here has your e-mail address: if that is you, sign in otherwise and link this identity in ' +
        'Settings → Single sign-on.'
    )
  }
  const caller = ctx.asServer(workspaceId)
  const person = { email, fullname: fullname.slice(0, MAX_FULLNAME_CHARACTERS) }
  return ctx.transaction(async trx => {
    const accountId = await ctx.use.workspace.addPerson(caller, trx, person)
    await link(ctx, trx, caller, accountId, claims)
    return { workspaceId, accountId }
  })
}

/** Links an identity to a person of the caller's workspace. @throws 409 when it is linked already */
export async function link(ctx: Ctx, trx: Trx, caller: Caller, accountId: Id, { issuer, subject }: Identity) {
  const { workspaceId } = caller
  const identity = { issuer, subject }
  await deleteOfRemoved(trx, workspaceId, identity)
  const linked = await insertIdentity(trx, { workspaceId, accountId }, identity, ctx.now())
  if (!linked) throw conflict('This identity is already linked to an account: unlink it there first.')
  await ctx.emit(trx, identityLinked, caller, [{ subjectId: linked.id, accountId, data: { accountId, issuer } }])
  return linked
}
