import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { commands } from '../../core/points.ts'
import { exportCommand, importCommand } from './commands.ts'
import { transfer } from './contract.ts'

export type Ctx = ContextOf<typeof transfer>

export default definePlugin({
  contract: transfer,
  summary: 'Export and import of a workspace as JSON Lines, on the command line',
  migrations: async () => ({ '001_transfer': await import('./migrations/001_transfer.ts') }),
  register(ctx) {
    ctx.contribute(commands, exportCommand(ctx))
    ctx.contribute(commands, importCommand(ctx))
    return {}
  }
})
