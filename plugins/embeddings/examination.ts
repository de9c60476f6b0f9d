import { well, wrong, type Finding } from '../../core/api/points.ts'
import type { Ctx } from './context.ts'
import { modelHolder } from './model-holder.ts'
import { NOT_INSTALLED } from './model/model.ts'
import { isRuntimeInstalled } from './model/runtime.ts'

export function examineModel(ctx: Ctx): Finding[] {
  if (!isRuntimeInstalled()) return [wrong(NOT_INSTALLED)]
  const { state, model } = ctx.get(modelHolder).state()
  const name = model === null ? 'The embedding model' : `The embedding model ${model}`
  if (state !== 'unavailable') return [well(`${name} is ${state}.`)]
  return [wrong('The embedding model cannot be loaded: the log of the server says why.')]
}
