import { sql, type Transaction } from 'kysely'
import { Type } from 'typebox'
import type { Scope } from '../../core/contract.ts'
import { notDeletedIn } from '../../core/db/workspace-rows.ts'
import { iso } from '../../core/db/sql.ts'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import { accountCreated, accountUpdated } from '../../core/events/account-events.ts'
import { updatedEvents } from '../../core/events/changes.ts'
import { newId } from '../../core/id.ts'
import { Line, Nullable } from '../../core/schemas.ts'
import type { Ctx } from './context.ts'
import { ExternalId, Person, recordKind, When, type Batch, type Item, type RecordOf } from './contract.ts'

type Trx = Transaction<CoreTables>

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

/** People and agents, without their tokens. People are matched with existing ones by e-mail address, agents by name. */
export const accountRecords = ({ scopes, emit }: Pick<Ctx, 'scopes' | 'emit'>) =>
  recordKind({
    kind: 'account',
    summary:
      'A person or agent, without tokens: an administrator creates new ones. People are matched by e-mail address,\n' +
      'agents by name; an existing account gets the file’s name and keeps its role.',
    table: 'account',
    keptApart: true,
    fields: fieldsOf(scopes),
    rows: (workspaceId, externalId) => sql`
    select ${externalId('account', 'a.id')} as "externalId", a.kind as type, a.fullname, a.email, a.role,
      to_json(a.scopes) as scopes, ${externalId('account', 'a.created_by_id')} as "createdBy",
      ${iso('a.created_at')} as "createdAt", ${iso('a.deleted_at')} as "deletedAt"
    from account a where a.workspace_id = ${workspaceId} order by a.created_at, a.fullname, 1`,
    add: batch => addAccounts(emit, batch)
  })

async function addAccounts(emit: Ctx['emit'], batch: Batch<ImportedAccount>): Promise<void> {
  const { trx, workspaceId, source, items, find, isThere, isTaken } = batch
  const db: Trx = trx
  const added: Array<Item<ImportedAccount>> = []
  for (const item of items) {
    const alike = await findAlike(db, workspaceId, source, item.record)
    const same = alike.find(({ id }) => !isTaken(item, id))
    if (same) {
      if (source === '') await updateAccount(emit, batch, same, item.record)
      isThere(item, same.id)
    } else {
      await addAccount(emit, batch, item)
      added.push(item)
    }
  }
  // Now that all of them exist, in any order.
  const makers = await find(
    'account',
    added.map(({ record }) => record.createdBy)
  )
  for (const { id, record } of added) {
    const createdById = makers.get(record.createdBy ?? '')
    if (createdById === undefined) continue
    await db
      .updateTable('account')
      .set({ createdById })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .execute()
  }
}

/** The accounts that a record may be the same as. */
async function findAlike(db: Trx, workspaceId: Id, source: string, record: ImportedAccount) {
  const { type, fullname, email = null, deletedAt } = record
  // The name of a person, or one in another tracker, proves no identity.
  if (deletedAt !== undefined || (email === null && (source !== '' || type === 'PERSON'))) return []
  return db
    .selectFrom('account')
    .select(['id', 'fullname', 'createdAt'])
    .where(notDeletedIn(workspaceId))
    .where('kind', '=', type)
    .where(email === null ? sql<boolean>`fullname = ${fullname}` : sql<boolean>`lower(email) = lower(${email})`)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

async function updateAccount(
  emit: Ctx['emit'],
  { trx, caller, workspaceId, now }: Batch<ImportedAccount>,
  same: { id: Id; fullname: string; createdAt: Date },
  { fullname, createdAt }: ImportedAccount
): Promise<void> {
  const db: Trx = trx
  const madeAt = new Date(createdAt ?? now)
  await db
    .updateTable('account')
    .set({ fullname, createdAt: madeAt < same.createdAt ? madeAt : same.createdAt })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', same.id)
    .execute()
  await emit(trx, accountUpdated, caller, updatedEvents(same, { ...same, fullname }, ['fullname']))
}

async function addAccount(
  emit: Ctx['emit'],
  { trx, caller, workspaceId, now }: Batch<ImportedAccount>,
  { id, record }: Item<ImportedAccount>
): Promise<void> {
  const db: Trx = trx
  const { type: kind, fullname, email = null, role, scopes = null, createdAt, deletedAt } = record
  await db
    .insertInto('account')
    .values({
      workspaceId,
      id,
      kind,
      fullname,
      email,
      role,
      scopes: kind === 'AGENT' ? scopes : null,
      createdById: null,
      createdAt: new Date(createdAt ?? now),
      deletedAt: deletedAt === undefined ? null : new Date(deletedAt)
    })
    .execute()
  // An account that was removed in the source is removed here, too.
  if (deletedAt === undefined) await emit(trx, accountCreated, caller, [{ subjectId: id, data: { kind, fullname } }])
}

/** Accounts by e-mail address or full name: those that can sign in before those that were removed, the oldest first. */
export async function accountsNamed(db: Trx, workspaceId: Id, names: readonly string[]): Promise<Map<string, Id>> {
  const rows = await db
    .selectFrom('account')
    .select(['id', 'fullname', 'email'])
    .where('workspaceId', '=', workspaceId)
    .where(eb =>
      eb.or([
        eb('fullname', 'in', [...names]),
        eb(
          sql`lower(email)`,
          'in',
          names.map(name => name.toLowerCase())
        )
      ])
    )
    .orderBy(eb => eb('deletedAt', 'is', null), 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return new Map(
    names.flatMap(name => {
      const found =
        rows.find(row => row.email?.toLowerCase() === name.toLowerCase()) ?? rows.find(row => row.fullname === name)
      return found ? [[name, found.id]] : []
    })
  )
}

/** Adds accounts as which nobody can sign in. */
export async function addRemovedAccounts(
  db: Trx,
  workspaceId: Id,
  fullnames: readonly string[],
  createdById: Id,
  at: Date
): Promise<Map<string, Id>> {
  const rows = fullnames.map(fullname => ({
    workspaceId,
    id: newId(),
    kind: 'PERSON' as const,
    fullname,
    email: null,
    role: 'MEMBER' as const,
    scopes: null,
    createdById,
    createdAt: at,
    deletedAt: at
  }))
  await db.insertInto('account').values(rows).execute()
  return new Map(rows.map(row => [row.fullname, row.id]))
}
