import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { newToken } from '../../../core/auth/tokens.ts'
import { migratedDatabase } from '../../../test/runner/empty-database.ts'
import { TEST_DATABASE_URL } from '../../../test/runner/harness.ts'
import { onlyPlugins, startProcess } from '../../../test/runner/process.ts'
import { writeModel } from '../../../test/tiny-model.ts'

t.test(
  'what was written just before the server was killed is found after the restart, by words and by meaning',
  async t => {
    const modelDir = join(t.testdir(), 'vehicles')
    await writeModel(modelDir, { car: [1, 0], automobile: [1, 0], fruit: [0, 1] })
    const database = await migratedDatabase(TEST_DATABASE_URL)
    t.teardown(() => database.remove())
    const token = newToken()
    const env = {
      ...database.env,
      ...onlyPlugins('workspace', 'issues', 'comments', 'search', 'embeddings'),
      TRACKER_ADMIN_TOKEN: token,
      TRACKER_MODEL_DIR: modelDir
    }
    async function ok<T>(url: string, path: string, body?: object): Promise<T> {
      const answer = await fetch(url + path, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) })
      })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      return answer.json() as Promise<T>
    }

    const titles = Array.from({ length: 20 }, (_, n) => `The car numbered x${n}`)
    const first = await startProcess(env)
    await Promise.all(titles.map(title => ok(first.url, '/v1/issues', { teamId: 'ENG', title })))
    await first.end('SIGKILL')

    const second = await startProcess(env)
    t.teardown(() => second.end('SIGKILL'))
    const search = async (query: string) =>
      (await ok<Array<{ title: string }>>(second.url, `/v1/search?limit=100&query=${query}`))
        .map(hit => hit.title)
        .sort()
    while ((await search('automobile')).length < titles.length) await sleep(100)
    t.same(await search('automobile'), titles.toSorted())
    t.same(await search('car'), titles.toSorted())
  }
)
