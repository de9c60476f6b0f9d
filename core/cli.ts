import { pino } from 'pino'
import { installed } from '../plugins/index.ts'
import { readConfiguration } from './config.ts'
import { commands } from './points.ts'
import { build } from './server.ts'

/** `npm run tracker -- NAME …`: runs a command that a plugin contributes. */
const [name = 'help', ...args] = process.argv.slice(2)
const help = ['help', '--help', '-h'].includes(name)

try {
  const { settings, ...rest } = await readConfiguration(installed, process.env)
  // Standard output is the command's; only what goes wrong is logged, on standard error. Its work needs no workers.
  const server = await build({
    configuration: { settings: { ...settings, jobs: false }, ...rest },
    logger: pino({ level: 'error' }, pino.destination(2))
  })
  try {
    const known = server.contributions(commands)
    const command = known.find(c => c.name === name)
    if (command) {
      if (command.database) await server.start()
      await command.run(args)
    } else {
      const list = known.map(c => `  ${`${c.name} ${c.usage}`.trim().padEnd(44)} ${c.summary}`).join('\n')
      const text = `npm run tracker -- COMMAND\n\n${list}\n`
      if (!help) throw new Error(`There is no command '${name}'.\n\n${text}`)
      process.stdout.write(text)
    }
  } finally {
    await server.close()
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
