import { singleton } from '../../core/plugin.ts'
import { adopt, answeringModels, requestAllVectors } from './backlog.ts'
import type { Ctx } from './context.ts'
import { makeModelHolder } from './model.ts'

/** The embedding model of this server. */
export const modelHolder = singleton(
  'modelHolder',
  (ctx: Ctx) =>
    makeModelHolder(ctx.settings, ctx.log, {
      adopt: model => adopt(ctx, model),
      request: () => requestAllVectors(ctx),
      answering: () => answeringModels(ctx)
    }),
  holder => holder.stop()
)
