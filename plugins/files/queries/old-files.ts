import { sql } from 'kysely'
import type { Db, FileKey, Trx } from '../context.ts'
import type { FileTexts } from '../contract.ts'
import type { Subject } from './files.ts'
import type { Id } from '../../../core/api/database/types.ts'

const MAX_LISTED = 500

/** In all workspaces, oldest first. */
const listUnbound = (db: Db, state: 'UPLOADING' | 'STORED', before: Date) =>
  db
    .selectFrom('file')
    .select(['workspaceId', 'id', 'store', 'bytes'])
    .where('state', '=', state)
    .where('subjectId', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(MAX_LISTED)
    .execute()

export const listUnused = (db: Db, before: Date) => listUnbound(db, 'STORED', before)

/** Their process has ended. */
export const listAbandoned = (db: Db, before: Date) => listUnbound(db, 'UPLOADING', before)

export const isWorkspace = async (db: Db, id: Id): Promise<boolean> =>
  (await db.selectFrom('workspace').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

interface Naming extends Subject {
  isDeleted: boolean
}

/** Another subject that names each file, preferably one that is not deleted. Raw: plugins contribute the texts. */
export async function findNaming(
  db: Db,
  workspaceId: Id,
  texts: readonly FileTexts[],
  ids: readonly Id[],
  except: Subject
): Promise<Map<Id, Naming>> {
  const { rows } = await sql<Naming & { fileId: Id }>`
    select distinct on (f.id) f.id as file_id, t.type, t.id, t.is_deleted
    from unnest(${ids}::uuid[]) f (id)
    join (${sql.join(
      texts.map(each => each(workspaceId)),
      sql` union all `
    )}) t on strpos(lower(t.markdown), '/v1/files/' || f.id) > 0
    where t.markdown like '%/v1/files/%' and (t.type, t.id) <> (${except.type}, ${except.id}::uuid)
    order by f.id, t.is_deleted, t.id`.execute(db)
  return new Map(rows.map(({ fileId, ...naming }) => [fileId, naming]))
}

/** Moves a file from a subject to another one. @returns false if it no longer belongs to the first */
export async function rebind(trx: Trx, { workspaceId, id }: FileKey, from: Subject, to: Subject): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('file')
    .set({ subjectType: to.type, subjectId: to.id })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'STORED')
    .where('subjectType', '=', from.type)
    .where('subjectId', '=', from.id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
