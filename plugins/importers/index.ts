import { definePlugin } from '../../core/plugin.ts'
import { backlogMd } from './backlog-md/index.ts'
import { beads } from './beads/index.ts'
import { dependencies } from './context.ts'
import { importSources } from './contract.ts'
import { jira } from './jira/index.ts'
import { importersServices } from './service.ts'

export default definePlugin(dependencies, {
  summary: 'Other trackers, as sources of an import: Jira, beads, Backlog.md',
  register(ctx) {
    for (const source of [jira, beads, backlogMd]) ctx.contribute(importSources, source)
  },
  services: importersServices
})
