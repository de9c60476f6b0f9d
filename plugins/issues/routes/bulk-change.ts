import { Type, type Static } from 'typebox'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, IdText } from '../../../core/api/schemas.ts'
import type { Trx } from '../context.ts'
import { Holder } from '../extra-parts.ts'
import { ownFields } from '../fields/fields.ts'
import { lockGraph, lockIssues } from '../queries/write/locks.ts'
import { emptyReferences, lookUp } from '../queries/read/lookup.ts'
import type { FieldValues } from '../schemas.ts'
import { patchIssue } from '../write/update.ts'
import { givenReference } from '../write/values.ts'
import { tags, type RouteContext } from './answers.ts'

type Change = FieldValues & { readonly issueId: string }

const Changed = Closed({ id: IdText, key: Type.String(), holder: Type.Optional(Holder) })

export function bulkChangeRoute(app: App, routes: RouteContext): void {
  app.post(
    '/v1/issues/bulk_change',
    {
      schema: {
        tags,
        summary: 'Change the fields of up to 100 issues, all or none',
        description:
          'Each is changed as by `POST /v1/issues/:issueId`, but for its texts, criteria and blockers: fields that ' +
          'are not sent stay, null clears.',
        body: routes.schemas.BulkChanges,
        response: answers(200, Closed({ issues: Type.Array(Changed) }))
      }
    },
    async ({ principal, body }) => {
      // The schema follows from the fields; its type is known only in parts.
      const { issues: changes, takeover = false } = body as { issues: Change[]; takeover?: boolean }
      const issues = await routes.ctx.transaction(async (trx: Trx) => {
        const references = emptyReferences()
        changes.forEach(({ issueId }, at) => references.issues.set(issueId, `issues.${at}.issueId`))
        const resolved = await lookUp(trx, principal, references)
        const { workspaceId } = principal
        const hasParent = changes.some(change => givenReference(ownFields.parent, change)?.value != null)
        if (hasParent) await lockGraph(trx, workspaceId)
        const refs = changes.map(({ issueId }) => resolved.issue(issueId))
        await lockIssues(
          trx,
          workspaceId,
          refs.map(({ id }) => id)
        )
        const changed: Array<Static<typeof Changed>> = []
        for (const [at, { issueId: _, ...patch }] of changes.entries()) {
          const { id, key } = refs[at]!
          const holder = await patchIssue(routes, trx, principal, id, patch, { where: `issues.${at}.`, takeover })
          changed.push({ id, key, ...(holder && { holder }) })
        }
        return changed
      })
      return { issues }
    }
  )
}
