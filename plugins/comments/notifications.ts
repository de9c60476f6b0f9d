import type { LoggedEvent } from '../../core/api/events.ts'
import { AT_SIGNS } from '../../lib/words/mentions.ts'
import { notifiesOf, type NotificationSource } from '../inbox/contract.ts'
import type { Ctx } from './context.ts'
import {
  commentCreated,
  commentDeleted,
  commentUpdated,
  questionAnswered,
  questionAsked,
  questionWithdrawn
} from './contract.ts'

export function commentNotifications(ctx: Ctx): NotificationSource[] {
  const bodyOf = ({ workspaceId, subject }: Pick<LoggedEvent, 'workspaceId' | 'subject'>) =>
    ctx.own.body(ctx.asServer(workspaceId), ctx.db, subject.id, { containing: AT_SIGNS })
  return [
    notifiesOf(commentCreated, async (event, { watch, mention }) => {
      if (event.actor) watch(event.actor.id)
      await mention(await bodyOf(event))
    }),
    notifiesOf(commentUpdated, async (event, { mention }) => mention(await bodyOf(event))),
    notifiesOf(commentDeleted, (_, { removeSubject }) => removeSubject()),
    notifiesOf(questionAsked, async ({ data: { to } }, { notify, peopleIds }) =>
      notify('asked', to.length > 0 ? to.map(({ id }) => id) : await peopleIds())
    ),
    notifiesOf(questionAnswered, ({ data: { askedById } }, { closeQuestion, notify }) => {
      closeQuestion()
      notify('answered', [askedById])
    }),
    notifiesOf(questionWithdrawn, (_, { closeQuestion }) => closeQuestion())
  ]
}
