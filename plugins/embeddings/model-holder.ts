import { singleton } from '../../core/api/plugin.ts'
import { adopt, requestAllVectors } from './backlog.ts'
import type { Ctx } from './context.ts'
import { ModelHolder } from './model/model.ts'
import { findAnsweringModels } from './queries/models.ts'

export const modelHolder = singleton(
  'modelHolder',
  (ctx: Ctx) =>
    new ModelHolder(ctx.settings, ctx.log, {
      adopt: model => adopt(ctx, model),
      request: () => requestAllVectors(ctx),
      answering: () => findAnsweringModels(ctx.db)
    }),
  holder => holder.stop()
)
