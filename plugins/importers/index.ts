import { definePlugin } from '../../core/api/plugin.ts'
import { backlogMd } from './backlog-md/index.ts'
import { beads } from './beads/index.ts'
import { dependencies } from './context.ts'
import { importSources } from './contract.ts'
import { csv } from './csv/index.ts'
import { github } from './github/index.ts'
import { jira } from './jira/index.ts'
import { linear } from './linear/index.ts'
import { markdown } from './markdown/index.ts'
import { boardsOf } from './foreign-boards.ts'
import { foreignBoards, transfer } from '../transfer/contract.ts'
import { uiParts } from '../ui/contract.ts'

export default definePlugin(dependencies, {
  summary: 'Other trackers, as sources of an import: Jira, GitHub, Linear, beads, Backlog.md, CSV; boards as markdown',
  register(ctx) {
    ctx.contributeWith(foreignBoards, ctx => [boardsOf(ctx)])
    if (ctx.isOn(transfer)) ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const source of [jira, github, linear, beads, backlogMd, csv, markdown]) ctx.contribute(importSources, source)
  }
})
