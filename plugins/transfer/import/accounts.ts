import { Type } from 'typebox'
import type { Scope } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { accountCreated, AccountNames, accountUpdated } from '../../../core/api/accounts.ts'
import { updatedEvents } from '../../../core/api/events.ts'
import { Line, Nullable } from '../../../core/api/schemas.ts'
import type { Ctx, Trx } from '../context.ts'
import { ExternalId, Person, recordKind, When, type Batch, type Item, type RecordOf } from '../contract.ts'
import * as queries from '../queries/accounts.ts'

const fieldsOf = (scopes: readonly Scope[]) => ({
  externalId: ExternalId,
  type: Type.Enum(['PERSON', 'AGENT']),
  fullname: Line(200),
  email: Type.Optional(Type.String({ minLength: 3, maxLength: 320 })),
  role: Type.Enum(['ADMIN', 'MEMBER']),
  scopes: Type.Optional(
    Nullable(Type.Array(Type.Enum(scopes.map(({ name }) => name))), { description: 'Of an agent.' })
  ),
  createdBy: Type.Optional(Person),
  createdAt: Type.Optional(When),
  deletedAt: Type.Optional(Type.String({ ...When, description: 'It was removed, and cannot sign in.' }))
})
type ImportedAccount = RecordOf<ReturnType<typeof fieldsOf>>

export const accountRecords = (scopes: readonly Scope[], emit: Ctx['emit']) =>
  recordKind({
    kind: 'account',
    summary:
      'A person or agent, without tokens: an administrator creates new ones. People are matched by e-mail address,\n' +
      'agents by name; an existing account gets the file’s name and keeps its role.',
    table: 'account',
    keptApart: true,
    fields: fieldsOf(scopes),
    rows: queries.exportedAccounts,
    inTexts: { prefix: 'account', names: queries.fullnames },
    add: batch => addAccounts(emit, batch)
  })

async function addAccounts(emit: Ctx['emit'], batch: Batch<ImportedAccount>): Promise<void> {
  const { trx, workspaceId, source, items, find, isThere, isTaken, skip } = batch
  const db: Trx = trx
  const names = await AccountNames.lock(trx, workspaceId)
  const added: Array<Item<ImportedAccount>> = []
  for (const item of items) {
    const alike = await findAlike(db, workspaceId, source, item.record)
    const same = alike.find(({ id }) => !isTaken(item, id))
    if (same) {
      if (source === '') await updateAccount(emit, batch, names, same, item)
      isThere(item, same.id)
    } else if (alike.length > 0 && item.record.email !== undefined) {
      skip(item, `another account of the file has the e-mail address '${item.record.email}'`)
    } else {
      await addAccount(emit, batch, names, item)
      added.push(item)
    }
  }
  // After all accounts exist, in any order.
  const makers = await find(
    'account',
    added.map(({ record }) => record.createdBy)
  )
  for (const { id, record } of added) {
    const createdById = makers.get(record.createdBy ?? '')
    if (createdById === undefined) continue
    await queries.updateAccount(db, workspaceId, id, { createdById })
  }
}

async function findAlike(trx: Trx, workspaceId: Id, source: string, record: ImportedAccount) {
  const { type, fullname, email = null, deletedAt } = record
  // A person's name, or a name in another tracker, proves no identity.
  if (deletedAt !== undefined || (email === null && (source !== '' || type === 'PERSON'))) return []
  return queries.listAlike(trx, workspaceId, type, email === null ? { fullname } : { email })
}

async function updateAccount(
  emit: Ctx['emit'],
  batch: Batch<ImportedAccount>,
  taken: AccountNames,
  same: { id: Id; fullname: string; createdAt: Date; role: 'ADMIN' | 'MEMBER' },
  item: Item<ImportedAccount>
): Promise<void> {
  const { trx, caller, workspaceId, now } = batch
  const { fullname: requested, createdAt } = item.record
  const bearer = { id: same.id, isAdmin: same.role === 'ADMIN' }
  const fullname = requested === same.fullname ? requested : freeName(batch, taken, item, bearer)
  const db: Trx = trx
  const madeAt = new Date(createdAt ?? now)
  const earlier = madeAt < same.createdAt ? madeAt : same.createdAt
  await queries.updateAccount(db, workspaceId, same.id, { fullname, createdAt: earlier })
  await emit(trx, accountUpdated, caller, updatedEvents(same, { ...same, fullname }, ['fullname']))
}

async function addAccount(
  emit: Ctx['emit'],
  batch: Batch<ImportedAccount>,
  taken: AccountNames,
  item: Item<ImportedAccount>
): Promise<void> {
  const { trx, caller, workspaceId, now } = batch
  const { id, record } = item
  const db: Trx = trx
  const { type: kind, email = null, role, scopes = null, createdAt, deletedAt } = record
  // Names of removed accounts may be used again.
  const isAdmin = role === 'ADMIN'
  const fullname = deletedAt === undefined ? freeName(batch, taken, item, { id, isAdmin }) : record.fullname
  await queries.insertAccounts(db, workspaceId, [
    {
      id,
      kind,
      fullname,
      email,
      role,
      scopes: kind === 'AGENT' ? scopes : null,
      createdById: null,
      createdAt: new Date(createdAt ?? now),
      deletedAt: deletedAt === undefined ? null : new Date(deletedAt)
    }
  ])
  // An account that was removed in the source is removed here, too.
  if (deletedAt === undefined) await emit(trx, accountCreated, caller, [{ subjectId: id, data: { kind, fullname } }])
}

/** With a number if another account has it: similar accounts stay separate. */
function freeName(
  { note }: Batch<ImportedAccount>,
  taken: AccountNames,
  item: Item<ImportedAccount>,
  bearer: { id: Id; isAdmin: boolean }
): string {
  const { fullname } = item.record
  const free = taken.free(fullname, bearer)
  if (free !== fullname) {
    note(item, `the name '${fullname}' is reserved or looks like that of another account: it is '${free}'`)
  }
  taken.add({ id: bearer.id, fullname: free })
  return free
}
