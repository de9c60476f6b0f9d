import type { CoreTables, Id, Reader } from '../api/database/types.ts'
import { exactFirst, foldLine } from '../naming/line.ts'

interface Workspace {
  id: Id
  name: string
}

export const listWorkspaces = (db: Reader<CoreTables>): Promise<Workspace[]> =>
  db.selectFrom('workspace').select(['id', 'name']).orderBy('createdAt').orderBy('id').execute()

/** One query each: on a distributed engine they may be on several nodes. */
export const workspacesById = (db: Reader<CoreTables>, ids: readonly Id[]): Promise<Workspace[]> =>
  Promise.all(
    ids.map(id => db.selectFrom('workspace').select(['id', 'name']).where('id', '=', id).executeTakeFirstOrThrow())
  )

export async function findWorkspace(db: Reader<CoreTables>, ref: string): Promise<Workspace> {
  const all = await listWorkspaces(db)
  const meant = all.filter(({ id, name }) => foldLine(name) === foldLine(ref) || id === ref.toLowerCase())
  const [match, other] = exactFirst(meant, ref)
  if (match && !other) return match
  throw new Error(
    `${other ? 'Several workspaces have that name: name one by its id' : `There is no workspace '${ref}'`}; ` +
      `there are: ${all.map(({ id, name }) => `${name} (${id})`).join(', ')}.`
  )
}
