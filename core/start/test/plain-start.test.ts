import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { newToken } from '../../auth/tokens.ts'
import { onlyPlugins, startProcess } from '../../../test/runner/process.ts'

const PLAIN = { TRACKER_PLAIN_START: 'true' }

t.test('a server that was started plainly gives the same answers', async t => {
  const token = newToken()
  const answers = async (env: Record<string, string>) => {
    const plugins = onlyPlugins('workspace', 'issues', 'mcp')
    const server = await startProcess({ ...env, ...plugins, TRACKER_DATA_DIR: t.testdir(), TRACKER_ADMIN_TOKEN: token })
    try {
      const send = async (path: string, body?: object) => {
        const answer = await fetch(`${server.url}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) })
        })
        return {
          status: answer.status,
          text: (await answer.text()).replaceAll(VARIES, 'varies').replaceAll(VERSION, 'varies')
        }
      }
      return [
        await send('/openapi.json'),
        await send('/v1/issues', { title: 'Filed', team: 'ENG' }),
        await send('/v1/issues/ENG-1/context'),
        await send('/v1/issues', { title: 7 })
      ]
    } finally {
      await server.end('SIGTERM')
    }
  }
  const [usual, plain] = [await answers({}), await answers(PLAIN)]
  t.same(
    usual.map(({ status }) => status),
    [200, 201, 200, 400]
  )
  t.strictSame(plain, usual)
})
/** The version of a context, which has times. */
const VERSION = /(?<="version":")[\w-]{10}(?=")/g
/** Ids, times, addresses, and a place in the order that is a time. */
const VARIES = /(?<="sortOrder":)\d+|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|127\.0\.0\.1:\d+/g

t.test('TRACKER_PLAIN_START turns off all that the start does for speed', async t => {
  const start = async (env: Record<string, string>) => {
    const script = "console.log(JSON.stringify([import.meta.resolve('kysely'), 'NODE_COMPILE_CACHE' in process.env]))"
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--require', './core/start/preload.cjs', '--input-type=module', '--eval', script],
      { cwd: fileURLToPath(new URL('../../..', import.meta.url)), env: { PATH: process.env['PATH'], ...env } }
    )
    return JSON.parse(stdout) as [kysely: string, hasCompileCache: boolean]
  }
  const [[, usualCache], [plainKysely, plainCache]] = [await start({}), await start(PLAIN)]
  t.equal(usualCache, true)
  t.equal(plainCache, false)
  t.match(plainKysely, /node_modules\/kysely\//)
})
