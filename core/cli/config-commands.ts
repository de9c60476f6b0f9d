import { defineCommand, spellControls } from '../api/command.ts'
import type { Command } from '../api/points.ts'
import { StartError } from '../config/start-error.ts'
import { readConfiguration, type Configuration, type Installed } from '../config/config.ts'
import { listSettings, shownValue } from '../config/listing.ts'
import { describeSource, withOrigins } from '../config/sources.ts'
import type { Tree } from '../config/tree.ts'

/**
 * `config check` and `config show`. They work where the configuration is invalid, so no server has them.
 * @param assemble builds a server without its database, and throws StartError
 */
export function configCommands(
  installed: Installed,
  env: NodeJS.ProcessEnv,
  assemble: (configuration: Configuration) => Promise<void>
): Command[] {
  return [
    defineCommand({
      name: 'config check',
      summary: 'Validate the configuration as a start does, and name every fault and where it is',
      details: 'Exit code 1: the configuration is invalid. The database is not opened.',
      database: false,
      async run(_, terminal) {
        const configuration = await readConfiguration(installed, env)
        await assemble(configuration).catch((error: unknown) => {
          if (!(error instanceof StartError)) throw error
          throw new StartError(error.problems.map(problem => withOrigins(problem, configuration.sources)))
        })
        for (const warning of configuration.warnings) terminal.print(warning)
        terminal.print(`The configuration is valid: ${configuration.plugins.length} plugins are on.`)
      }
    }),
    defineCommand({
      name: 'config show',
      summary: 'Print each setting, its value without secrets, and where it comes from',
      database: false,
      async run(_, terminal) {
        const { settings, schema, sources } = await readConfiguration(installed, env)
        const rows = listSettings(schema, settings as unknown as Tree).map(
          setting => [setting.path, shownValue(setting), describeSource(setting.path, sources, env)] as const
        )
        const width = Math.max(...rows.map(([path]) => path.length))
        for (const [path, value, source] of rows) {
          await terminal.write(spellControls(`${path.padEnd(width)}  ${value}  (${source})\n`))
        }
      }
    })
  ]
}
