import { keepStatistics } from '../../core/api/database/queries.ts'
import { singleton } from '../../core/api/plugin.ts'
import type { Ctx } from './context.ts'

export const statistics = singleton(
  'statistics',
  ({ db, log }: Ctx) =>
    keepStatistics(db, ['issue', 'issue_relation', 'issue_label', 'issue_change'], error =>
      log.warn({ err: error }, 'the statistics of a board that has grown could not be updated')
    ),
  keeper => keeper.stop()
)
