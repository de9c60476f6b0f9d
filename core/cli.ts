import { installed } from '../plugins/index.ts'
import { runCommand } from './command.ts'
import { readConfiguration } from './config.ts'
import { makeLogger } from './logger.ts'
import { commands } from './points.ts'
import { printStartError } from './run.ts'
import { build } from './server.ts'

/** `npm run tracker -- NAME …`: runs a command that a plugin contributes. */
try {
  const { settings, ...rest } = await readConfiguration(installed, process.env)
  // Standard output is the command's; only what goes wrong is logged, on standard error. Its work needs no workers.
  const server = await build({
    configuration: { settings: { ...settings, jobs: false }, ...rest },
    logger: await makeLogger({ level: 'error', fd: 2 })
  })
  try {
    process.exitCode = await runCommand(
      server.contributions(commands).map(({ item }) => item),
      process.argv.slice(2),
      () => server.start()
    )
  } finally {
    await server.close()
  }
} catch (error) {
  printStartError(error)
  process.exitCode = 1
}
