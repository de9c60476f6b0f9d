import { sql, type Insertable } from 'kysely'
import { iso, newId, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { CoreTables, Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { ExternalIdOf } from '../contract.ts'

/** Raw: a part of the statement that reads all kinds of records. */
export const exportedAccounts = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  select ${externalId('account', 'a.id')} as "externalId", a.kind as type, a.fullname, a.email, a.role,
    to_json(a.scopes) as scopes, ${externalId('account', 'a.created_by_id')} as "createdBy",
    ${iso('a.created_at')} as "createdAt", ${iso('a.deleted_at')} as "deletedAt"
  from account a where a.workspace_id = ${workspaceId} order by a.created_at, a.fullname, 1`

export const fullnames = (workspaceId: Id, ids: readonly Id[]) => sql<{ id: Id; name: string }>`
  select id, fullname as name from account where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`

/** Oldest first; an address in any case. */
export const listAlike = (
  trx: Trx,
  workspaceId: Id,
  kind: 'PERSON' | 'AGENT',
  named: { fullname: string } | { email: string }
) =>
  trx
    .selectFrom('account')
    .select(['id', 'fullname', 'createdAt', 'role'])
    .where(notDeletedIn(workspaceId))
    .where('kind', '=', kind)
    .where(
      'email' in named ? sql<boolean>`lower(email) = lower(${named.email})` : sql<boolean>`fullname = ${named.fullname}`
    )
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const updateAccount = (
  trx: Trx,
  workspaceId: Id,
  id: Id,
  changes: { fullname?: string; createdAt?: Date; createdById?: Id }
) => trx.updateTable('account').set(changes).where('workspaceId', '=', workspaceId).where('id', '=', id).execute()

export const insertAccounts = (
  trx: Trx,
  workspaceId: Id,
  accounts: ReadonlyArray<Omit<Insertable<CoreTables['account']>, 'workspaceId'>>
) =>
  trx
    .insertInto('account')
    .values(accounts.map(account => ({ workspaceId, ...account })))
    .execute()

export const findAdministrator = (db: Db, workspaceId: Id) =>
  db
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('role', '=', 'ADMIN')
    .orderBy('createdAt')
    .executeTakeFirst()

/**
 * Accounts by e-mail address, or by full name: of those only the ones that an import made for unknown names. Texts of
 * another board must not be attributed to a present or former account that happens to have the same name.
 * @param chosen full names that mean other accounts: an active one before a removed one
 */
export async function accountsNamed(
  trx: Trx,
  workspaceId: Id,
  names: readonly string[],
  chosen: ReadonlySet<string>
): Promise<Map<string, Id>> {
  const rows = await trx
    .selectFrom('account')
    .select(['id', 'fullname', 'email', 'createdAt', 'deletedAt'])
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
      const match =
        rows.find(row => row.email?.toLowerCase() === name.toLowerCase()) ??
        rows.find(row => row.fullname === name && (isOfImport(row) || chosen.has(name)))
      return match ? [[name, match.id]] : []
    })
  )
}

/** Made by `addRemovedAccounts`. */
const isOfImport = ({
  email,
  createdAt,
  deletedAt
}: {
  email: string | null
  createdAt: Date
  deletedAt: Date | null
}) => email === null && deletedAt?.getTime() === createdAt.getTime()

export async function addRemovedAccounts(
  trx: Trx,
  workspaceId: Id,
  fullnames: readonly string[],
  createdById: Id,
  at: Date
): Promise<Map<string, Id>> {
  const rows = fullnames.map(fullname => ({
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
  await insertAccounts(trx, workspaceId, rows)
  return new Map(rows.map(row => [row.fullname, row.id]))
}
