import { defineCommand } from '../../core/api/command.ts'
import { vacuum } from '../../core/api/database/queries.ts'
import type { Ctx } from './context.ts'
import { reindex } from './issue-index.ts'

export const reindexCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'reindex',
    summary: 'Rebuild the search index while the server runs; continues where it was interrupted',
    database: 'existing',
    async run(_, terminal) {
      await reindex(ctx, 'all', (done, total) => terminal.progress(`${done} of ${total} issues`))
      await vacuum(ctx.db)
      terminal.print('The search index is up to date.')
    }
  })
