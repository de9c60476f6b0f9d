import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'

/** Modules that a start may load: half of its processor time is finding, reading and linking them. */
const MAX_MODULES = 2_300

/** Loads what a start loads before it opens the database, and prints the number of modules. */
const COUNT = `
  import { registerHooks } from 'node:module'
  let modules = 0
  registerHooks({
    load(url, context, next) {
      modules++
      return next(url, context)
    }
  })
  const { readConfiguration } = await import('./core/config.ts')
  const { build } = await import('./core/server.ts')
  const { installed } = await import('./plugins/index.ts')
  const server = await build({ configuration: await readConfiguration(installed, { LOG_LEVEL: 'silent' }) })
  await server.close()
  console.log(modules)`

t.test('a start loads few modules', async t => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', COUNT], {
    cwd: new URL('..', import.meta.url),
    env: { PATH: process.env['PATH'] }
  })
  const modules = Number(stdout)
  t.ok(modules > 1_000 && modules <= MAX_MODULES, `${modules} modules`)
})
