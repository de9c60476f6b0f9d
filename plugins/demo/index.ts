import { definePlugin } from '../../core/plugin.ts'
import { commands } from '../../core/points.ts'
import { demoCommand } from './command.ts'
import { dependencies } from './context.ts'

export default definePlugin(dependencies, {
  summary: 'A sample board to look around in: a workspace of its own, which can be removed',
  register(ctx) {
    ctx.contributeWith(commands, ctx => [demoCommand(ctx)])
  }
})
