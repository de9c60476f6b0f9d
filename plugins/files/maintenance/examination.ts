import { well, type Finding } from '../../../core/api/points.ts'
import { newId } from '../../../core/api/database/queries.ts'
import type { Ctx } from '../context.ts'
import { stores } from '../stores/stores.ts'

/** Whether the store of new files takes a file, gives it back and removes it. */
export async function examineStore(ctx: Ctx): Promise<Finding[]> {
  const { current } = ctx.get(stores)
  // Its parts belong to rows, and the database is looked at by itself.
  if (current === 'database') return [well('Files are in the database.')]
  const store = ctx.get(stores).get(current)
  const file = { workspaceId: newId(), id: newId() }
  // The daily job removes the folder of a workspace that there is not.
  try {
    await store.write(file, oneByte())
    if ((await store.read(file, { start: 0, end: 0 })) === undefined) throw new Error('What was written is not there.')
  } finally {
    await store.remove(file)
  }
  return [well(`The store ${current} takes files.`)]
}

async function* oneByte(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(1)
}
