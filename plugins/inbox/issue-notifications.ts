import { idInChange } from '../../core/api/events.ts'
import { issueCreated, issueUpdated } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import { notifiesOf, type NotificationSource } from './contract.ts'
import { isClosedUnmet } from './queries.ts'

export function issueNotifications({ db }: Ctx): NotificationSource[] {
  return [
    notifiesOf(issueCreated, async ({ data: { assigneeId } }, { notify, mentionInDescription }) => {
      if (assigneeId !== null) notify('assigned', [assigneeId])
      await mentionInDescription()
    }),
    notifiesOf(
      issueUpdated,
      async ({ workspaceId, data: { changes } }, { issueId, notify, mentionInDescription, watcherIds }) => {
        const changed = new Map(
          changes.map(({ field, from, to }) => [field, { from: idInChange(from), to: idInChange(to) }])
        )
        const assigneeId = changed.get('assignee')?.to
        if (assigneeId !== undefined) notify('assigned', [assigneeId])
        const { from, to } = changed.get('state') ?? {}
        if (from !== undefined && to !== undefined && (await isClosedUnmet(db, workspaceId, issueId, { from, to }))) {
          notify('closed_unmet', await watcherIds())
        }
        if (changed.has('description')) await mentionInDescription()
      }
    )
  ]
}
