import { definePlugin } from '../../core/plugin.ts'
import { commands } from '../../core/points.ts'
import { exportCommand, importCommand } from './commands.ts'
import { dependencies } from './context.ts'

export default definePlugin(dependencies, {
  summary: 'Export and import of a workspace as JSON Lines, on the command line',
  tables: { importedRecord: 'workspace' },
  migrations: async () => ({ '001_transfer': await import('./migrations/001_transfer.ts') }),
  register(ctx) {
    ctx.contributeWith(commands, ctx => [exportCommand(ctx), importCommand(ctx)])
  }
})
