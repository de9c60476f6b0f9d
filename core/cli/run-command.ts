import { runInServer } from './admin/client.ts'
import { configCommands } from './config-commands.ts'
import { defineCommand, runCommand } from '../api/command.ts'
import { readConfiguration, type Configuration, type Installed } from '../config/config.ts'
import { assertDatabaseExists } from '../db/statements/assert-exists.ts'
import { makeLogger } from '../http/logger.ts'
import { commands } from '../api/points.ts'
import { printStartError, run } from './run-server.ts'
import { build, type Server } from '../kernel/server.ts'

/** Runs a plugin's command, given as `NAME …`, and sets the exit code of the process. */
export async function runCommandLine(installed: Installed, args: readonly string[]): Promise<void> {
  const start = defineCommand({
    name: 'start',
    summary: 'Start the server',
    database: false,
    run: () => run(installed)
  })
  const ofConfiguration = configCommands(installed, process.env, async configuration =>
    (await buildWithoutWorkers(configuration)).close()
  )
  const withoutServer = [start, ...ofConfiguration]
  try {
    // A group, too: `config` lists its commands.
    if (withoutServer.some(({ name }) => name.split(' ')[0] === args[0])) {
      process.exitCode = await runCommand(withoutServer, args, async () => {})
      return
    }
    const configuration = await readConfiguration(installed, process.env)
    const { settings } = configuration
    const server = await buildWithoutWorkers(configuration)
    try {
      process.exitCode = await runCommand(
        [...withoutServer, ...server.contributions(commands).map(({ item }) => item)],
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

/** Standard output is the command's; errors are logged on standard error. */
const buildWithoutWorkers = async ({ settings, ...rest }: Configuration): Promise<Server> =>
  build({
    configuration: { settings: { ...settings, jobs: false }, ...rest },
    logger: await makeLogger({ level: 'error', fd: 2 })
  })
