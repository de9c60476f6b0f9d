import { insertToken } from '../../core/api/accounts.ts'
import type { Caller } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { conflict, invalid } from '../../core/api/errors.ts'
import { newId } from '../../core/api/database/queries.ts'
import { cleanLine, lineProblem } from '../../core/api/text.ts'
import type { Ctx, Trx } from './context.ts'
import { workspaceCreated } from './contract.ts'
import { FIRST_ADMINISTRATOR } from './first-administrator.ts'
import { insertPerson } from './queries/accounts.ts'
import { insertLabel, insertTeam } from './queries/teams.ts'
import {
  addWorkspaceRow,
  findFirstAdministrator,
  hasToken,
  hasWorkspace,
  lockWorkspaceNames
} from './queries/workspaces.ts'

const FIRST_LABELS = [
  { name: 'Bug', color: '#ef4444' },
  { name: 'Feature', color: '#8b5cf6' },
  { name: 'Docs', color: '#0ea5e9' }
]

const MAX_NAME_CHARACTERS = 100
const MAX_EMAIL_CHARACTERS = 320
const EMAIL = /^[^\s@]+@[^\s@]+$/

async function bootstrap(ctx: Ctx): Promise<void> {
  await ctx.transaction(async trx => {
    await lockWorkspaceNames(trx)
    if (await hasWorkspace(trx)) return
    await insertWorkspace(ctx, ctx.asServer(newId()), trx, ctx.settings)
  })
}

/** @throws 409 when its name is taken, 400 when the name or the address is invalid */
export async function addWorkspace(
  ctx: Pick<Ctx, 'emit'>,
  caller: Caller,
  trx: Trx,
  { name, adminEmail }: { name: string; adminEmail: string }
): Promise<{ adminId: Id; token: string }> {
  if (lineProblem(name) !== undefined || cleanLine(name) !== name || !name || name.length > MAX_NAME_CHARACTERS) {
    throw invalid(
      `A name has 1 to ${MAX_NAME_CHARACTERS} characters in NFC, none of them a control character, a mark that ` +
        'changes the direction of text, invisible or a space at its ends.'
    )
  }
  if (!EMAIL.test(adminEmail) || adminEmail.length > MAX_EMAIL_CHARACTERS) {
    throw invalid(`'${adminEmail}' is no e-mail address: send one such as ann@example.org.`)
  }
  await lockWorkspaceNames(trx)
  if (await hasWorkspace(trx, name)) {
    throw conflict(`There is a workspace '${name}' already: choose another name.`)
  }
  const adminId = await insertWorkspace(ctx, caller, trx, { name, adminEmail })
  const { token } = await insertToken(trx, caller.workspaceId, { accountId: adminId, name: 'First token' })
  return { adminId, token }
}

async function insertWorkspace(
  { emit }: Pick<Ctx, 'emit'>,
  caller: Caller,
  trx: Trx,
  { name, adminEmail }: { name: string; adminEmail: string }
): Promise<Id> {
  const { workspaceId } = caller
  await addWorkspaceRow(trx, workspaceId, name)
  const admin = await insertPerson(trx, workspaceId, {
    email: adminEmail,
    fullname: FIRST_ADMINISTRATOR,
    role: 'ADMIN',
    createdById: null
  })
  await insertTeam(trx, workspaceId, { identifier: 'ENG', name: 'Engineering' })
  for (const label of FIRST_LABELS) await insertLabel(trx, workspaceId, label)
  await emit(trx, workspaceCreated, caller, [{ subjectId: workspaceId, data: { name } }])
  return admin.id
}

/**
 * Unless there is any token. Not together with the administrator, because only a listening server shows it: one whose
 * port is in use, and a command, do not.
 * @param token the token of the settings, if any
 */
async function makeFirstToken({ transaction }: Ctx, token?: string): Promise<string | undefined> {
  return transaction(async trx => {
    await lockWorkspaceNames(trx)
    if (await hasToken(trx)) return undefined
    const admin = await findFirstAdministrator(trx)
    if (admin === undefined) return undefined
    return (await insertToken(trx, admin.workspaceId, { accountId: admin.id, name: 'First token', token })).token
  })
}

/** A token of the settings works before the server listens. */
export async function start(ctx: Ctx): Promise<void> {
  await bootstrap(ctx)
  const { adminToken } = ctx.settings
  if (adminToken !== undefined) await makeFirstToken(ctx, adminToken)
}

/** Without one, it is created once the server listens, and printed. */
export async function printFirstToken(ctx: Ctx): Promise<void> {
  if (ctx.settings.adminToken !== undefined) return
  const token = await makeFirstToken(ctx)
  if (token !== undefined) process.stdout.write(welcome(ctx, token))
}

function welcome({ settings, use }: Ctx, token: string): string {
  const origin = use.address.origin()
  const how = use.ui
    ? `Open ${origin} in a browser, and sign in the first time with
  the administrator's token, and from then on as ${settings.adminEmail}. The token is shown only now:`
    : "The administrator's token is shown only now:"
  return `
  tracker is ready. ${how}

    export TRACKER_URL=${origin} TRACKER_TOKEN=${token}

  Two things to try:

    curl -s $TRACKER_URL/v1/users/me -H "Authorization: Bearer $TRACKER_TOKEN"
    curl -s $TRACKER_URL/v1/issues -H "Authorization: Bearer $TRACKER_TOKEN" -H 'Content-Type: application/json' \\
      -d '{"teamId": "ENG", "title": "My first issue", "descriptionMarkdown": "- [ ] it can be ticked"}'

`
}
