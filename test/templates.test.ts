import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { embeddedTemplate, templateName } from './runner/templates.ts'

const TEMPLATES = fileURLToPath(new URL('runner/templates.ts', import.meta.url))

/** A test process that needs the template in `folder`, and makes it, if it must, by `make`. */
function wanting(t: Test, folder: string, make: string) {
  const script = `
    import { appendFile } from 'node:fs/promises'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { embeddedTemplate } from ${JSON.stringify(TEMPLATES)}
    await embeddedTemplate(${JSON.stringify(folder)}, async () => { ${make} })`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'ignore', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  return { child, ended: once(child, 'exit') as Promise<[code: number | null]> }
}

t.test('test processes that start together make one template', async t => {
  const log = join(t.testdir({ templates: {} }), 'log')
  const make = `await appendFile(${JSON.stringify(log)}, 'made;'); await sleep(300); return new Uint8Array([1, 2, 3])`
  const folder = join(t.testdirName, 'templates')
  const processes = Array.from({ length: 3 }, () => wanting(t, folder, make))
  for (const { ended } of processes) t.strictSame((await ended)[0], 0)
  t.equal(await readFile(log, 'utf8'), 'made;')
})

t.test('when the process that makes it is killed, the next one makes it whole', async t => {
  const log = join(t.testdir({ templates: {} }), 'log')
  const folder = join(t.testdirName, 'templates')
  const hanging = wanting(t, folder, `await appendFile(${JSON.stringify(log)}, 'begun'); await sleep(60_000)`)
  while ((await readFile(log, 'utf8').catch(() => '')) !== 'begun') await sleep(20)
  hanging.child.kill('SIGKILL')
  await hanging.ended
  const path = await embeddedTemplate(folder, async () => new Uint8Array([4, 5]))
  t.strictSame([...(await readFile(path))], [4, 5])
})

t.test('a template is not made again while nothing has changed', async t => {
  const folder = t.testdir()
  const path = await embeddedTemplate(folder, async () => new Uint8Array([1]))
  t.equal(await embeddedTemplate(folder, () => Promise.reject(new Error('it is made again'))), path)
})

t.test('a template of other migrations, or of other packages, is never used', async t => {
  const root = t.testdir({
    'package-lock.json': '{}',
    core: { db: { migrations: { '001_accounts.ts': 'create table account' } } },
    plugins: { notes: { 'index.ts': '', migrations: { '001_notes.ts': 'create table note' } } }
  })
  const names = [templateName(root)]
  await appendFile(join(root, 'core/db/migrations/001_accounts.ts'), ' (id uuid)')
  names.push(templateName(root))
  await writeFile(join(root, 'plugins/notes/migrations/002_more.ts'), 'alter table note')
  names.push(templateName(root))
  await writeFile(join(root, 'package-lock.json'), '{"packages": {}}')
  names.push(templateName(root))
  t.equal(new Set(names).size, names.length)
})
