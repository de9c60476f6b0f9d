import { sql, type Transaction } from 'kysely'
import { Type } from 'typebox'
import { existing } from '../../core/db/existing.ts'
import { iso } from '../../core/db/sql.ts'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import { accountCreated, accountUpdated } from '../../core/events/account-events.ts'
import { updatedEvents } from '../../core/events/changes.ts'
import { newId } from '../../core/id.ts'
import { Line, Nullable } from '../../core/schemas.ts'
import type { Ctx } from './context.ts'
import { ExternalId, Person, recordKind, When } from './contract.ts'

type Trx = Transaction<CoreTables>

/**
 * People and agents, without their tokens. A person is the one with the same e-mail address, an agent the one with the
 * same name.
 */
export const accountRecords = ({ scopes: allScopes, emit }: Pick<Ctx, 'scopes' | 'emit'>) =>
  recordKind({
    kind: 'account',
    summary:
      'A person or agent, without tokens: an administrator makes new ones. A person who has the same e-mail\n' +
      'address, and an agent who has the same name, is the one that is there; it takes the file’s name and keeps\n' +
      'its role.',
    table: 'account',
    fields: {
      externalId: ExternalId,
      type: Type.Enum(['PERSON', 'AGENT']),
      fullname: Line(200),
      email: Type.Optional(Type.String({ minLength: 3, maxLength: 320 })),
      role: Type.Enum(['ADMIN', 'MEMBER']),
      scopes: Type.Optional(
        Nullable(Type.Array(Type.Enum(allScopes.map(({ name }) => name))), { description: 'Of an agent.' })
      ),
      createdBy: Type.Optional(Person),
      createdAt: Type.Optional(When),
      deletedAt: Type.Optional(Type.String({ ...When, description: 'It was removed, and cannot sign in.' }))
    },
    rows: (workspaceId, externalId) => sql`
    select ${externalId('account', 'a.id')} as "externalId", a.kind as type, a.fullname, a.email, a.role,
      to_json(a.scopes) as scopes, ${externalId('account', 'a.created_by_id')} as "createdBy",
      ${iso('a.created_at')} as "createdAt", ${iso('a.deleted_at')} as "deletedAt"
    from account a where a.workspace_id = ${workspaceId} order by a.created_at, a.fullname, 1`,
    async add({ trx, caller, workspaceId, source, items, now, find, isThere }) {
      const db: Trx = trx
      const added: (typeof items)[number][] = []
      for (const item of items) {
        const { type, fullname, email = null, role, scopes = null, createdAt, deletedAt } = item.record
        const same =
          // Another tracker's display name proves nothing: its people are known by their addresses alone.
          deletedAt !== undefined || (source !== '' && email === null)
            ? undefined
            : await db
                .selectFrom('account')
                .select(['id', 'fullname', 'createdAt'])
                .where(existing(workspaceId))
                .where('kind', '=', type)
                .where(
                  email === null ? sql<boolean>`fullname = ${fullname}` : sql<boolean>`lower(email) = lower(${email})`
                )
                .executeTakeFirst()
        const made = new Date(createdAt ?? now)
        if (same && source !== '') isThere(item, same.id)
        else if (same) {
          await db
            .updateTable('account')
            .set({ fullname, createdAt: made < same.createdAt ? made : same.createdAt })
            .where('workspaceId', '=', workspaceId)
            .where('id', '=', same.id)
            .execute()
          await emit(trx, accountUpdated, caller, updatedEvents(same, { ...same, fullname }, ['fullname']))
          isThere(item, same.id)
        } else {
          await db
            .insertInto('account')
            .values({
              workspaceId,
              id: item.id,
              kind: type,
              fullname,
              email,
              role,
              scopes: type === 'AGENT' ? scopes : null,
              createdById: null,
              createdAt: made,
              deletedAt: deletedAt === undefined ? null : new Date(deletedAt)
            })
            .execute()
          // Whoever was removed is no more to be seen here than there.
          if (deletedAt === undefined) {
            await emit(trx, accountCreated, caller, [{ subjectId: item.id, data: { kind: type, fullname } }])
          }
          added.push(item)
        }
      }
      // Now that all of them are there, whoever comes first.
      const makers = await find(
        'account',
        added.map(item => item.record.createdBy)
      )
      for (const { id, record } of added) {
        const maker = makers.get(record.createdBy ?? '')
        if (maker !== undefined) {
          await db
            .updateTable('account')
            .set({ createdById: maker })
            .where('workspaceId', '=', workspaceId)
            .where('id', '=', id)
            .execute()
        }
      }
    }
  })

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

/** Nobody can sign in as one of them. */
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
