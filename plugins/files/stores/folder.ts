import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isId } from '../../../core/api/database/queries.ts'
import { freeMemory } from './memory.ts'
import type { Store } from './store.ts'
import type { FileKey } from '../context.ts'

/** While it is written. */
const PARTIAL = '.part'

export const isComplete = (path: string): boolean => !path.endsWith(PARTIAL)

/** As `<workspace>/<id>`: names of clients are never part of a path. */
export function folderStore(folder: string): Store {
  const pathOf = ({ workspaceId, id }: FileKey) => join(folder, workspaceId, id)
  return {
    async write(file, chunks) {
      const path = pathOf(file)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const partial = await open(path + PARTIAL, 'wx', 0o600)
      try {
        for await (const chunk of chunks) {
          await partial.writeFile(chunk)
          freeMemory(chunk)
        }
        await partial.sync()
      } finally {
        await partial.close()
      }
      await rename(path + PARTIAL, path)
      await syncFolder(dirname(path))
    },
    async read(file, range) {
      const handle = await open(pathOf(file), constants.O_RDONLY).catch(unlessMissing)
      return handle?.createReadStream({ ...range, highWaterMark: 64 * 1024 })
    },
    async remove(file) {
      const path = pathOf(file)
      await Promise.all([path, path + PARTIAL].map(each => rm(each).catch(unlessMissing)))
    },
    async *list() {
      for (const workspaceId of (await readdir(folder).catch(unlessMissing)) ?? []) {
        if (!isId(workspaceId)) continue
        for (const id of await readdir(join(folder, workspaceId))) if (isId(id)) yield { workspaceId, id }
      }
    },
    async removeWorkspacesUnless(isThere) {
      for (const name of (await readdir(folder).catch(unlessMissing)) ?? []) {
        if (isId(name) && !(await isThere(name))) await rm(join(folder, name), { recursive: true, force: true })
      }
    }
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}

/** Makes the new name durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
