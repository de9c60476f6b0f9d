import { definePlugin } from '../../core/api/plugin.ts'
import { eventTypes } from '../../core/api/points.ts'
import { fileSubjects, fileTexts } from '../files/contract.ts'
import { draftSources } from '../issues/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { recordKinds } from '../transfer/contract.ts'
import { trashKinds } from '../trash/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { templateEvents } from './contract.ts'
import { templateOfDraft } from './fill.ts'
import { hasTexts, namedTemplates, textsOfTemplates } from './queries/templates.ts'
import { templateRoutes } from './routes.ts'
import { templateRecords } from './transfer.ts'
import { templateTrash } from './trash.ts'

export default definePlugin(dependencies, {
  summary: 'Templates of teams for new issues: title, text, labels, criteria and priority',
  tables: { issueTemplate: 'workspace' },
  migrations: { '001_templates': () => import('./migrations/001_templates.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of templateEvents) ctx.contribute(eventTypes, type)
    ctx.contribute(draftSources, templateOfDraft)
    ctx.contribute(fileTexts, textsOfTemplates)
    ctx.contributeWith(fileSubjects, ctx => [
      {
        type: 'issue_template',
        // Issues keep its text, with its files, when it is in the trash or its team is removed.
        isReadable: ({ workspaceId }, id) => hasTexts(ctx.db, workspaceId, id),
        isReadByRuns: true,
        named: namedTemplates
      }
    ])
    ctx.contributeWith(trashKinds, ctx => [templateTrash(ctx)])
    ctx.contributeWith(recordKinds, ctx => [templateRecords(ctx)])
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url) })
  },
  routes: templateRoutes
})
