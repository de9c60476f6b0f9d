import { sql } from 'kysely'
import type { Principal } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { Place } from '../../core/api/http.ts'
import type { Db } from './context.ts'
import type { TrashKind } from './contract.ts'

/** Undefined: with the workspace. */
export const findStart = async (db: Db, workspaceId: Id): Promise<Date | undefined> =>
  (await db.selectFrom('trashStart').select('at').where('workspaceId', '=', workspaceId).executeTakeFirst())?.at

interface Deleted {
  id: Id
  deletedAt: Date
  kind: string
  key: string | null
  title: string
  deletedById: Id | null
  deletedBy: string | null
}

/** The last first. */
export async function listDeleted(
  db: Db,
  reader: Principal,
  kinds: readonly TrashKind[],
  { after, limit }: { after: Place | undefined; limit: number }
): Promise<Deleted[]> {
  if (kinds.length === 0) return []
  const ofKind = (kind: TrashKind) => sql`(
    select ${kind.name}::text as kind, d.id, d.key, d.title, d.deleted_at, d.deleted_by_id
    from (${kind.list(reader)}) d
    ${after ? sql`where (d.deleted_at, d.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
    order by d.deleted_at desc, d.id desc limit ${limit})`
  // Raw: other plugins contribute the queries.
  const { rows } = await sql<Deleted>`
    select deleted.*, a.fullname as deleted_by
    from (${sql.join(kinds.map(ofKind), sql` union all `)}) deleted
    left join account a on a.workspace_id = ${reader.workspaceId} and a.id = deleted.deleted_by_id
    order by deleted.deleted_at desc, deleted.id desc limit ${limit}`.execute(db)
  return rows
}
