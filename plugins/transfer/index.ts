import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { commands } from '../../core/points.ts'
import { comments } from '../comments/contract.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { exportCommand, importCommand } from './commands.ts'
import { transfer } from './contract.ts'

export type Ctx = ContextOf<typeof transfer, [typeof workspace, typeof issues, typeof comments]>

export default definePlugin({
  contract: transfer,
  summary: 'Export and import of a board as JSON Lines, on the command line',
  requires: [workspace, issues, comments],
  migrations: async () => ({ '001_transfer': await import('./migrations/001_transfer.ts') }),
  register (ctx) {
    ctx.contribute(commands, exportCommand(ctx))
    ctx.contribute(commands, importCommand(ctx))
    return {}
  }
})
