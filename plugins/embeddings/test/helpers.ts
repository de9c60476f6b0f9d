import { newId } from '../../../core/db/id.ts'
import { inTime } from '../../../test/embeddings.ts'
import { testServer, type TestOptions, type TestServer } from '../../../test/runner/harness.ts'
import type { Caller } from '../../../core/api/contract.ts'
import type { EmbeddingsServices } from '../contract.ts'
import type { Settings } from '../settings.ts'

/** A listening server, which looks for models. */
export async function serverWith(settings: Partial<Settings>, options: TestOptions = {}): Promise<TestServer> {
  const server = await testServer({
    plugins: ['workspace', 'embeddings'],
    ...options,
    settings: { ...options.settings, plugins: { embeddings: { download: false, ...settings } } }
  })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  return server
}

interface FindOptions {
  id?: string
  limit?: number
  maxDistance?: number
}

/** A pool of texts by short names. */
export function poolOf(server: TestServer, workspaceId: string, name = 'things') {
  const { vectorIndex } = server.container.resolve<EmbeddingsServices>('embeddings')
  const caller: Caller = { workspaceId, accountId: null, tokenId: null, scopes: [] }
  const ids = new Map<string, string>()
  const idOf = (short: string) => ids.get(short) ?? ids.set(short, newId()).get(short)!
  const shortOf = (id: string) => [...ids].find(([, other]) => other === id)?.[0]
  return {
    async put(texts: Record<string, string>) {
      await server.database.db.transaction().execute(trx =>
        vectorIndex.put(
          caller,
          trx,
          name,
          Object.entries(texts).map(([short, text]) => ({ id: idOf(short), text }))
        )
      )
    },
    async remove(...shorts: string[]) {
      await server.database.db.transaction().execute(trx => vectorIndex.remove(caller, trx, name, shorts.map(idOf)))
    },
    /** The short names of the nearest texts, nearest first; repeated while the machine is too slow. */
    find: (text: string, options: FindOptions = {}) => inTime(server, () => findOnce(text, options)),
    findOnce
  }
  async function findOnce(text: string, { id, limit = 10, maxDistance = 0.8 }: FindOptions = {}) {
    const like = { text, ...(id !== undefined && { id: idOf(id) }) }
    const neighbours = await vectorIndex.find(caller, name, like, { limit, maxDistance })
    return neighbours?.near.map(hit => shortOf(hit.id))
  }
}

export const workspaceOf = async (server: TestServer): Promise<string> =>
  (await server.ok<{ workspace: { id: string } }>('/v1/users/me')).workspace.id
