import { Type, type Static } from 'typebox'
import {
  accountCreated,
  accountDeleted,
  AccountNames,
  accountUpdated,
  insertToken,
  removeAccount,
  tokenCreated,
  tokenRevoked
} from '../../../core/api/accounts.ts'
import type { Caller, Principal } from '../../../core/api/contract.ts'
import { assertUnchanged, conflict, forbidden, invalid, notFound } from '../../../core/api/errors.ts'
import { updatedEvents } from '../../../core/api/events.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText } from '../../../core/api/schemas.ts'
import type { Ctx, Trx } from '../context.ts'
import * as accounts from '../queries/accounts.ts'
import {
  AccessToken,
  AccessTokenShown,
  Account,
  Me,
  NewAccessToken,
  NewPerson,
  PersonChanges,
  PersonWithToken,
  withIsoDate
} from '../schemas.ts'

const people = ['people']
const withId = Closed({ id: IdText })

export function peopleRoutes(app: App, ctx: Ctx): void {
  const { db } = ctx
  app.get(
    '/v1/users/me',
    { schema: { tags: people, summary: 'Who the token belongs to', response: answers(200, Me) } },
    async ({ principal }) => {
      const { workspaceName, createdAt, ...me } = await accounts.findMe(db, principal.workspaceId, principal.accountId)
      return {
        ...me,
        createdAt: createdAt.toISOString(),
        scopes: me.kind === 'AGENT' ? [...principal.scopes] : null,
        workspace: { id: principal.workspaceId, name: workspaceName }
      }
    }
  )

  app.get(
    '/v1/users',
    { schema: { tags: people, summary: 'Members and agents', response: answers(200, Type.Array(Account)) } },
    async ({ principal }) => (await accounts.listAccounts(db, principal.workspaceId)).map(withIsoDate)
  )

  app.post(
    '/v1/users/:id',
    {
      schema: {
        tags: people,
        summary: 'Change a person',
        description:
          'Administrators change anybody; others change their own name and e-mail address. ' +
          'A name must not look like that of somebody else in the workspace (409).',
        params: withId,
        body: PersonChanges,
        response: answers(200, Account)
      }
    },
    async ({ principal, params, body }) => changePerson(ctx, principal, params.id, body)
  )

  administratorRoutes(app, ctx)
}

function administratorRoutes(app: App, ctx: Ctx): void {
  app.post(
    '/v1/users',
    {
      config: { admin: true },
      schema: {
        tags: people,
        summary: 'Add a person',
        description:
          'The answer has their first token, shown once. ' +
          'Their name must not look like that of somebody else in the workspace (409).',
        body: NewPerson,
        response: answers(201, PersonWithToken)
      }
    },
    async ({ principal, body }, reply) => reply.code(201).send(await addWithToken(ctx, principal, body))
  )

  app.post(
    '/v1/users/:id/token',
    {
      config: { admin: true },
      schema: {
        tags: people,
        summary: 'Let a person sign in who came with an import',
        description: 'The answer has their first token, shown once; 409 when they had one already.',
        params: withId,
        response: answers(201, PersonWithToken)
      }
    },
    async ({ principal, params }, reply) => reply.code(201).send(await enablePerson(ctx, principal, params.id))
  )

  app.delete(
    '/v1/users/:id',
    {
      config: { admin: true },
      schema: {
        tags: people,
        summary: 'Remove a person',
        description: 'Their tokens are revoked at once; their name stays in the history.',
        params: withId,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params }) => removePerson(ctx, principal, params.id)
  )
}

/** The name is free. @throws 409 when the e-mail address is taken */
export async function addPerson(
  { emit }: Ctx,
  trx: Trx,
  caller: Caller,
  person: Pick<accounts.NewPerson, 'email' | 'fullname' | 'role'>
) {
  const added = await accounts.insertPerson(trx, caller.workspaceId, { ...person, createdById: caller.accountId })
  const { id, kind, fullname } = added
  await emit(trx, accountCreated, caller, [{ subjectId: id, data: { kind, fullname } }])
  return added
}

async function addWithToken(ctx: Ctx, principal: Principal, body: Static<typeof NewPerson>) {
  const { email, fullname, role = 'MEMBER' } = body
  return ctx.transaction(async trx => {
    const names = await AccountNames.lock(trx, principal.workspaceId)
    names.assertFree(fullname, 'fullname', { isAdmin: role === 'ADMIN' })
    const person = await addPerson(ctx, trx, principal, { email, fullname, role })
    const { token } = await insertToken(trx, principal.workspaceId, { accountId: person.id, name: 'First token' })
    return { ...withIsoDate(person), token }
  })
}

/** @throws 403, 404; 409 when no administrator would be left, or the name looks like another's */
async function changePerson(ctx: Ctx, principal: Principal, id: string, body: Static<typeof PersonChanges>) {
  const { workspaceId } = principal
  const { previous, ...changes } = body
  const own = id === principal.accountId && body.role === undefined
  if (principal.role !== 'ADMIN' && !own) {
    throw forbidden('Only an administrator may change other people, or anybody’s role.')
  }
  return ctx.transaction(async trx => {
    const names = body.fullname === undefined ? undefined : await AccountNames.lock(trx, workspaceId)
    if (body.role === 'MEMBER') await keepAnAdministrator(trx, workspaceId, id)
    const before = await accounts.lockPerson(trx, workspaceId, id)
    if (before) assertUnchanged(previous, withIsoDate(before))
    if (before && body.fullname !== undefined && body.fullname !== before.fullname) {
      names?.assertFree(body.fullname, 'fullname', { id, isAdmin: (body.role ?? before.role) === 'ADMIN' })
    }
    const person = before && (await accounts.updatePerson(trx, workspaceId, id, changes))
    if (!person) throw notFound('person', id)
    await ctx.emit(trx, accountUpdated, principal, updatedEvents(before, person, ['fullname', 'email', 'role']))
    return withIsoDate(person)
  })
}

/** @throws 404, 409 */
async function enablePerson(ctx: Ctx, principal: Principal, id: string) {
  const { workspaceId } = principal
  return ctx.transaction(async trx => {
    const person = await accounts.lockPerson(trx, workspaceId, id)
    if (!person) throw notFound('person', id)
    if (await accounts.hadToken(trx, workspaceId, person.id)) {
      throw conflict(`${person.fullname} had a token already: they make further ones themselves.`)
    }
    const name = 'First token'
    const { id: tokenId, token } = await insertToken(trx, workspaceId, { accountId: person.id, name })
    await ctx.emit(trx, tokenCreated, principal, [{ subjectId: tokenId, accountId: person.id, data: { name } }])
    return { ...withIsoDate(person), token }
  })
}

/** @throws 404; 409 when no administrator would be left */
async function removePerson(ctx: Ctx, principal: Principal, id: string) {
  const { workspaceId } = principal
  await ctx.transaction(async trx => {
    await keepAnAdministrator(trx, workspaceId, id)
    const person = await accounts.lockPerson(trx, workspaceId, id)
    if (!person) throw notFound('person', id)
    await removeAccount(trx, workspaceId, id, ctx.now())
    const { kind, fullname } = person
    await ctx.emit(trx, accountDeleted, principal, [{ subjectId: person.id, data: { kind, fullname } }])
  })
  return { id, deleted: true as const }
}

async function keepAnAdministrator(trx: Trx, workspaceId: string, leaving: string): Promise<void> {
  const administrators = await accounts.lockAdministrators(trx, workspaceId)
  if (administrators.length === 1 && administrators[0]?.id === leaving) {
    throw conflict('This is the last administrator: make another person an administrator first.')
  }
}

const forPeople = 'The tokens of an agent are rotated by an administrator: POST /v1/users/agents/:id/token.'

export function accessTokenRoutes(app: App, ctx: Ctx): void {
  const { db, emit, now, transaction } = ctx
  const tags = ['tokens']

  app.post(
    '/v1/users/pat',
    {
      schema: {
        tags,
        summary: 'Create a token for yourself',
        description: `It is shown once. ${forPeople}`,
        body: NewAccessToken,
        response: answers(201, AccessTokenShown)
      }
    },
    async ({ principal, body }, reply) => reply.code(201).send(await makeToken(ctx, principal, body))
  )

  app.get(
    '/v1/users/pats',
    { schema: { tags, summary: 'Your tokens', response: answers(200, Type.Array(AccessToken)) } },
    async ({ principal }) =>
      (await accounts.listTokens(db, principal.workspaceId, principal.accountId)).map(
        ({ createdAt, lastUsedAt, expiresAt, ...token }) => ({
          ...token,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
          expiresAt: expiresAt?.toISOString() ?? null
        })
      )
  )

  app.delete(
    '/v1/users/pats/:patId',
    {
      schema: {
        tags,
        summary: 'Revoke one of your tokens',
        description: 'It is refused from the next request on.',
        params: Closed({ patId: IdText }),
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params }) => {
      const { workspaceId, accountId } = principal
      return transaction(async trx => {
        const revoked = await accounts.revokeToken(trx, workspaceId, accountId, params.patId, now())
        if (!revoked) throw notFound('token of yours', params.patId)
        const { id, name } = revoked
        await emit(trx, tokenRevoked, principal, [{ subjectId: id, accountId, data: { name } }])
        return { id, deleted: true as const }
      })
    }
  )
}

/** @throws 400, 403 */
async function makeToken(ctx: Ctx, principal: Principal, body: Static<typeof NewAccessToken>) {
  if (principal.kind === 'AGENT') throw forbidden(`An agent cannot make tokens. ${forPeople}`)
  const expiresAt = body.expiresAt === undefined ? undefined : new Date(body.expiresAt)
  if (expiresAt && expiresAt <= ctx.now()) {
    throw invalid('body.expiresAt must be in the future.', { field: 'expiresAt' })
  }
  const { workspaceId, accountId } = principal
  const newToken = await ctx.transaction(async trx => {
    const newToken = await insertToken(trx, workspaceId, { accountId, name: body.name, expiresAt })
    await ctx.emit(trx, tokenCreated, principal, [{ subjectId: newToken.id, accountId, data: { name: body.name } }])
    return newToken
  })
  return { ...newToken, expiresAt: newToken.expiresAt?.toISOString() ?? null }
}
