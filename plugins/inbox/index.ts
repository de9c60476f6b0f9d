import { daysBefore } from '../../lib/util/days.ts'
import { job } from '../../core/api/contract.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { eventTypes } from '../../core/api/points.ts'
import { issueChanges, issueFilters } from '../issues/contract.ts'
import { guideParts } from '../skills/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { fillInboxes } from './consumer.ts'
import { dependencies } from './context.ts'
import { inbox, inboxEvents, notificationSources } from './contract.ts'
import { issueNotifications } from './issue-notifications.ts'
import { removeOfIssues, removeReadBefore, watchingFilter } from './queries.ts'
import { inboxRoutes } from './routes.ts'

const KEEP_READ_DAYS = 90
const forgetRead = job<Record<string, never>>()(inbox, 'forgetRead')

export default definePlugin(dependencies, {
  summary: 'An inbox for each account: questions, answers, mentions, assignments, and problems with its issues',
  tables: { inboxEntry: 'workspace', inboxWatch: 'workspace' },
  migrations: { '001_inbox': () => import('./migrations/001_inbox.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of inboxEvents) ctx.contribute(eventTypes, type)
    ctx.contribute(guideParts, {
      path: 'working-tracker-issues/93-watch-by-rest.md',
      text: '- `POST /v1/issues/ENG-12/watch` watches a task, whose changes are then in your inbox: `GET /v1/inbox`.\n'
    })
    ctx.contributeWith(notificationSources, issueNotifications)
    ctx.contribute(issueFilters, watchingFilter)
    ctx.contribute(issueChanges, {
      purged: ({ workspaceId }, trx, issueIds) => removeOfIssues(trx, workspaceId, issueIds)
    })
    ctx.consume('entries', {
      events: 'all',
      debounceMs: 100,
      onGap: 'skip',
      handle: (events, ctx) => fillInboxes(ctx, events)
    })
    ctx.work(forgetRead, {}, async (_payloads, ctx) => {
      await removeReadBefore(ctx.db, daysBefore(ctx.now(), KEEP_READ_DAYS))
    })
    ctx.schedule(forgetRead, '20 4 * * *')
  },
  routes: inboxRoutes
})
