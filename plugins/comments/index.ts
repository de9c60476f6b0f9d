import { definePlugin } from '../../core/api/plugin.ts'
import { eventTypes } from '../../core/api/points.ts'
import { writeScope } from '../../core/api/scopes.ts'
import { fileTexts } from '../files/contract.ts'
import { notificationSources } from '../inbox/contract.ts'
import { insightMeasures } from '../insights/contract.ts'
import {
  contextSections,
  issueChanges,
  issueFilters,
  noteWriters,
  readyReasons,
  rowSections
} from '../issues/contract.ts'
import { mcpInstructions, mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { recordKinds } from '../transfer/contract.ts'
import { trashKinds } from '../trash/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies, sectionsOf } from './context.ts'
import { commentCreated, commentDeleted, commentUpdated, questionEvents } from './contract.ts'
import { commentNotifications } from './notifications.ts'
import { commentCount, contextComments, textsOfComments } from './queries/comments.ts'
import { questionFilter } from './queries/questions.ts'
import { awaitingOfRow, awaitsAnswer, questionsOfContext } from './questions/sections.ts'
import { commentRoutes } from './routes.ts'
import { commentServices } from './service.ts'
import { tools } from './tools.ts'
import { questionsMeasure } from './queries/insights.ts'
import { commentTrash, purgeComments } from './trash/trash.ts'
import { commentRecords } from './transfer.ts'

export default definePlugin(dependencies, {
  summary:
    'Comments on issues, with replies, and questions that wait for an answer; a resolution and the closing in one step',
  tables: { comment: 'workspace', commentQuestion: 'workspace', commentQuestionAddressee: 'workspace' },
  migrations: {
    '001_comments': () => import('./migrations/001_comments.ts'),
    '002_body_bytes': () => import('./migrations/002_body_bytes.ts'),
    '003_questions': () => import('./migrations/003_questions.ts'),
    '004_trash': () => import('./migrations/004_trash.ts')
  },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of [commentCreated, commentUpdated, commentDeleted, ...questionEvents]) {
      ctx.contribute(eventTypes, type)
    }
    ctx.contributeWith(contextSections, ctx => [
      { name: 'comments', list: workspaceId => contextComments(workspaceId, sectionsOf(ctx)), grows: true as const }
    ])
    ctx.contribute(contextSections, questionsOfContext)
    ctx.contribute(fileTexts, textsOfComments)
    for (const section of [commentCount, awaitingOfRow]) ctx.contribute(rowSections, section)
    ctx.contribute(readyReasons, awaitsAnswer)
    ctx.contribute(issueFilters, questionFilter)
    ctx.contribute(insightMeasures, questionsMeasure)
    ctx.contributeWith(noteWriters, ctx => [
      async (caller, trx, issueId, markdown) => {
        await ctx.own.add(caller, trx, issueId, markdown)
      }
    ])
    ctx.contributeWith(trashKinds, ctx => [commentTrash(ctx)])
    ctx.contributeWith(issueChanges, ctx => [
      {
        async purged(caller, trx, issueIds) {
          await purgeComments(ctx, trx, caller, { issueIds })
        }
      }
    ])
    ctx.contributeWith(recordKinds, ctx => [commentRecords(ctx)])
    ctx.contributeWith(notificationSources, commentNotifications)
    ctx.contributeWith(mcpTools, ctx => tools(ctx.use.proof !== undefined))
    ctx.contribute(mcpInstructions, {
      at: 'end',
      scope: writeScope,
      sentence: 'Close a task with its resolution: what was wrong, what was done (close_task).'
    })
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url), core: true })
    ctx.contribute(guideFiles, { folder: new URL('./guides/all/', import.meta.url) })
  },
  services: commentServices,
  routes: commentRoutes
})
