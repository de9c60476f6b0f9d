import { Type } from 'typebox'
import { assertUnchanged, notFound } from '../../../core/api/errors.ts'
import { updatedEvents } from '../../../core/api/events.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, IdText } from '../../../core/api/schemas.ts'
import type { Ctx } from '../context.ts'
import { labelCreated, labelUpdated } from '../contract.ts'
import * as teams from '../queries/teams.ts'
import { Label, LabelChanges, labelEvent, NewLabel, withIsoDate } from '../schemas.ts'
import { labelTrashRoutes } from './label-trash.ts'

const withId = Closed({ id: IdText })

export function labelRoutes(app: App, ctx: Ctx): void {
  const { emit, db, transaction } = ctx
  const tags = ['labels']

  app.get(
    '/v1/labels',
    { schema: { tags, summary: 'Labels', response: answers(200, Type.Array(Label)) } },
    async ({ principal }) => (await teams.listLabels(db, principal.workspaceId)).map(withIsoDate)
  )

  app.post(
    '/v1/labels',
    { schema: { tags, summary: 'Create a label', body: NewLabel, response: answers(201, Label) } },
    async ({ principal, body }, reply) => {
      const newLabel = await transaction(async trx => {
        const label = await teams.insertLabel(trx, principal.workspaceId, body)
        await emit(trx, labelCreated, principal, [labelEvent(label)])
        return label
      })
      return reply.code(201).send(withIsoDate(newLabel))
    }
  )

  app.get(
    '/v1/labels/:id',
    { schema: { tags, summary: 'A label', params: withId, response: answers(200, Label) } },
    async ({ principal, params }) => {
      const label = await teams.findLabel(db, principal.workspaceId, params.id)
      if (!label) throw notFound('label', params.id)
      return withIsoDate(label)
    }
  )

  app.post(
    '/v1/labels/:id',
    { schema: { tags, summary: 'Change a label', params: withId, body: LabelChanges, response: answers(200, Label) } },
    async ({ principal, params, body: { previous, ...changes } }) =>
      transaction(async trx => {
        const before = await teams.lockLabel(trx, principal.workspaceId, params.id)
        if (before) assertUnchanged(previous, before)
        const label = before && (await teams.updateLabel(trx, principal.workspaceId, params.id, changes))
        if (!label) throw notFound('label', params.id)
        await emit(trx, labelUpdated, principal, updatedEvents(before, label, ['name', 'color']))
        return withIsoDate(label)
      })
  )
  labelTrashRoutes(app, ctx)
}
