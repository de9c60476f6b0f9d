import { definePlugin } from '../../core/api/plugin.ts'
import { commands } from '../../core/api/points.ts'
import { exportCommand } from './commands.ts'
import { importLines } from './import/import.ts'
import { importCommand } from './import/import-command.ts'
import { importedIds } from './queries/imported.ts'
import { dependencies } from './context.ts'

export default definePlugin(dependencies, {
  summary: 'Export and import of a workspace as JSON Lines, on the command line',
  tables: { importedRecord: 'workspace' },
  migrations: {
    '001_transfer': () => import('./migrations/001_transfer.ts'),
    '002_sources': () => import('./migrations/002_sources.ts')
  },
  register(ctx) {
    ctx.contributeWith(commands, ctx => [exportCommand(ctx), importCommand(ctx)])
  },
  services: ctx => ({
    importLines: ({ workspaceId }, actorId, lines) => importLines(ctx, workspaceId, actorId, lines),
    imported: ({ workspaceId }, trx, kind) => importedIds(trx, workspaceId, kind)
  })
})
