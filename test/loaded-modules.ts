import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Loads the modules of a start before migration, and prints their URLs. */
const LIST = `
  import { registerHooks } from 'node:module'
  const modules = []
  registerHooks({
    load(url, context, next) {
      modules.push(url)
      return next(url, context)
    }
  })
  const { readConfiguration } = await import('./core/config/config.ts')
  const { build } = await import('./core/kernel/server.ts')
  const { installed } = await import('./plugins/index.ts')
  const server = await build({ configuration: await readConfiguration(installed, { LOG_LEVEL: 'silent' }) })
  await server.close()
  console.log(modules.join('\\n'))`

/** The URLs of the modules that a start of the checkout in `folder` loads; `options` are for Node. */
export async function loadedModules(
  folder = fileURLToPath(new URL('..', import.meta.url)),
  options: readonly string[] = []
): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [...options, '--input-type=module', '--eval', LIST], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    maxBuffer: 16 * 1024 * 1024
  })
  return stdout.trim().split('\n')
}
