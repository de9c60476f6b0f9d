import { keepStatistics } from '../../core/api/database/queries.ts'
import { singleton } from '../../core/api/plugin.ts'
import type { Ctx } from './context.ts'

export const statistics = singleton(
  'statistics',
  ({ db, log }: Ctx) =>
    keepStatistics(db, ['search_document', 'search_term'], error =>
      log.warn({ err: error }, 'the statistics of an index that has grown could not be updated')
    ),
  statistics => statistics.stop()
)
