import { readConfiguration, type Installed } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import type { Server } from '../kernel/server.ts'

/** True if the server stops when its terminal is closed. Without a terminal, SIGHUP reads the configuration again. */
export const hasTerminal = (): boolean => process.stdin.isTTY

/** Reads the configuration on each SIGHUP, once the server is built, and takes over what may change. */
export function reloadOnHangup(installed: Installed, building: Promise<{ server: Server }>): void {
  let reloading = building.then(
    () => {},
    () => {} // the start reports it
  )
  process.on('SIGHUP', () => {
    reloading = reloading.then(async () => reload(installed, (await building).server))
  })
}

async function reload(installed: Installed, server: Server): Promise<void> {
  const { log } = server.app
  try {
    const configuration = await readConfiguration(installed, process.env)
    for (const warning of configuration.warnings) log.warn(warning)
    const { changed, needRestart } = server.reload(configuration)
    log.info({ changed }, 'the configuration was read again')
    if (needRestart.length > 0) log.warn({ settings: needRestart }, 'these settings change with the next start')
  } catch (error) {
    const problems = error instanceof StartError ? { problems: error.problems } : { err: error }
    log.error(problems, 'the configuration is invalid: the server goes on with the former one')
  }
}
