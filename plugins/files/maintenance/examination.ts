import { well, type Finding } from '../../../core/api/points.ts'
import { newId } from '../../../core/api/database/queries.ts'
import type { Ctx } from '../context.ts'
import { stores } from '../stores/stores.ts'

export async function examineStore(ctx: Ctx): Promise<Finding[]> {
  const { current } = ctx.get(stores)
  // Parts in the database need a row, and the database has an examination of its own.
  if (current === 'database') return [well('Files are in the database.')]
  const store = ctx.get(stores).get(current)
  const file = { workspaceId: newId(), id: newId() }
  // The daily job removes folders of workspaces that do not exist.
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
