import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { migratedDatabase } from '../../../test/runner/empty-database.ts'
import { TRACKER_COMMAND } from '../../../test/runner/process.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

t.test('on the command line, a second export.csv asks for a name, and has it', { timeout: 120_000 }, async t => {
  const database = await migratedDatabase(process.env['TEST_DATABASE_URL'])
  t.teardown(() => database.remove())
  const folder = temporaryFolder(t)
  const fileIn = (name: string, content: string) => {
    mkdirSync(join(folder, name))
    const file = join(folder, name, 'export.csv')
    writeFileSync(file, content)
    return file
  }
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [...TRACKER_COMMAND, 'import', '--from', 'csv', ...args], {
      cwd: new URL('../../..', import.meta.url),
      env: { PATH: process.env['PATH'], ...database.env },
      stdio: ['ignore', 'ignore', 'pipe']
    })
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number | null]>])
    return { said, code }
  }
  const rocket = fileIn('rocket', 'Id,Title\n1,Fuel it\n2,Paint it\n')
  const bakery = fileIn('bakery', 'Id,Title,Confidential\n1,Bake bread,\n2,Buy flour,yes\n')
  t.match(await run(rocket), { code: 0, said: /remembered as csv\.\nAdded: .*2 issue\./ })
  const refused = await run(bakery)
  t.equal(refused.code, 1)
  t.match(refused.said, /another board than .*'csv': 1 of its issues .*--source NAME; if .*--source csv\./)
  const named = await run(bakery, '--source', 'bakery', '--include', 'restricted')
  t.match(named, { code: 0, said: /remembered as csv:bakery\.\nAdded: .*2 issue\./ })
  t.match(await run(bakery), { code: 0, said: /csv:bakery\.\n[^]*Left out issues: 1 \(only some people/ })
})
