import { Type } from 'typebox'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, IdText, Nullable, Ref, Time } from '../../core/api/schemas.ts'
import type { Ctx } from './context.ts'
import { HARNESSES } from './contract.ts'
import { listReminders } from './queries/sessions.ts'

const Reminder = Closed({
  id: IdText,
  at: Time,
  account: Closed({ id: IdText, fullname: Type.String() }),
  harness: Type.Enum([...HARNESSES]),
  session: Type.String({ description: 'The name of the session; empty where its client names none.' }),
  quietSince: Nullable(Time, {
    description:
      'The beginning of the time without a write after which the session was asked to record the progress of the ' +
      'issue; null: it was only reminded that the issue is in progress.'
  })
})

export function reminderRoutes(app: App, { db, use: { issues } }: Ctx): void {
  app.get(
    '/v1/issues/:issueId/reminders',
    {
      schema: {
        tags: ['hooks'],
        summary: 'Which sessions of agents were reminded of an issue by their hooks, newest first',
        description:
          'The last reminder of each session. A session without an event for 30 days (by default) is removed.',
        params: Closed({ issueId: Ref('The issue’s UUID or key.') }),
        querystring: Closed({ limit: Type.Integer({ default: 100, minimum: 1, maximum: 1000 }) }),
        response: answers(200, Type.Array(Reminder))
      }
    },
    async ({ principal, params, query }) => {
      const { id } = await issues.find(principal, db, params.issueId)
      return listReminders(db, principal.workspaceId, id, query.limit)
    }
  )
}
