import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { TRACKER_COMMAND } from '../../../test/runner/process.ts'
import { runInProcess } from '../../../test/runner/run-in-process.ts'

t.test('what others wrote commands no terminal', async t => {
  const server = await testServer({ plugins: ['workspace', 'transfer', 'importers'], settings: { jobs: false } })
  t.teardown(() => server.close())
  const { db } = server.database
  // Stored by an earlier version: ESC, the C1 control for `ESC [`, and a bidi override.
  const name = 'red\u001B[31m \u009B31m \u202Eder'
  const spelt = String.raw`red\u001b[31m \u009b31m \u202eder`
  await db.updateTable('account').set({ fullname: name }).execute()
  await db.updateTable('workspace').set({ name }).execute()
  const tracker = (...args: string[]) => runInProcess(server, args)

  t.match((await tracker('workspaces', 'list')).out, new RegExp(`\t${RegExp.escape(spelt)}\n$`))
  t.match((await tracker('token', '--email', 'admin@localhost')).err, spelt)
  t.match((await tracker('token', '--email', `${name}@localhost`)).err, spelt)
  const { out } = await tracker('export')
  t.notMatch(out, /[^\P{Cc}\n]|\p{Bidi_Control}/u)
  const lines = out.trim().split('\n')
  t.ok(lines.map(line => JSON.parse(line) as { fullname?: string }).some(({ fullname }) => fullname === name))
})

t.test('a command whose output is no longer read says so, and ends', async t => {
  const command = spawn(process.execPath, [...TRACKER_COMMAND, 'config', 'show'])
  command.stdout.destroy()
  const [messages, [code]] = await Promise.all([text(command.stderr), once(command, 'close')])
  t.equal(messages, 'The output of the command is no longer read.\n  (write EPIPE)\n')
  t.equal(code, 1)
})
