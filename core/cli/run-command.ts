import { runInServer } from './admin/client.ts'
import { runCommand } from '../api/command.ts'
import { readConfiguration, type Installed } from '../config/config.ts'
import { assertDatabaseExists } from '../db/statements/assert-exists.ts'
import { makeLogger } from '../http/logger.ts'
import { commands } from '../api/points.ts'
import { printStartError } from '../run.ts'
import { build } from '../kernel/server.ts'

/** Runs a plugin's command, given as `NAME …`, and sets the exit code of the process. */
export async function runCommandLine(installed: Installed, args: readonly string[]): Promise<void> {
  try {
    const { settings, ...rest } = await readConfiguration(installed, process.env)
    // Standard output is the command's; errors are logged on standard error. Commands need no workers.
    const server = await build({
      configuration: { settings: { ...settings, jobs: false }, ...rest },
      logger: await makeLogger({ level: 'error', fd: 2 })
    })
    try {
      process.exitCode = await runCommand(
        server.contributions(commands).map(({ item }) => item),
        [...args],
        async mustExist => {
          const code = server.database.kind === 'embedded' ? await runInServer(settings.dataDir, args) : undefined
          if (code !== undefined) return code
          if (mustExist) await assertDatabaseExists(server.database, settings.dataDir)
          await server.start()
        }
      )
    } finally {
      await server.close()
    }
  } catch (error) {
    printStartError(error)
    process.exitCode = 1
  }
}
