import { Type } from 'typebox'
import type { App } from '../../../core/api/plugin.ts'
import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { answers, Closed, Deleted, IdText, Ref } from '../../../core/api/schemas.ts'
import type { Ctx } from '../context.ts'
import { accounts, removePicture, setPicture } from '../pictures.ts'
import { listPictures } from '../queries/accounts.ts'
import { StoredFile } from '../schemas.ts'
import { addressOf, shown } from '../shown.ts'
import { findChangeable } from '../subjects.ts'

const tags = ['people']
const params = Closed({ id: Ref('`me`, or the UUID of an account.') })

export function pictureRoutes(app: App, ctx: Ctx): void {
  app.get(
    '/v1/users/pictures',
    {
      schema: {
        tags,
        summary: 'The pictures of members and agents',
        description: 'Of those who have one.',
        response: answers(200, Type.Array(Closed({ accountId: IdText, url: Type.String() })))
      }
    },
    async ({ principal }) =>
      (await listPictures(ctx.db, principal.workspaceId)).map(({ accountId, ...file }) => ({
        accountId,
        url: addressOf(file)
      }))
  )

  app.put(
    '/v1/users/:id/picture',
    {
      schema: {
        tags,
        summary: 'Set your picture, or as an administrator that of an agent',
        description:
          'The file is one of yours that no text has named yet: a PNG, JPEG, WebP, GIF or AVIF image of at most ' +
          '1 MiB. The former picture is removed. `POST /v1/files?subject=account:<id>` uploads and sets one at once.',
        params,
        body: Closed({ file: Type.String({ minLength: 1, maxLength: 1000, description: 'Its url or id.' }) }),
        response: answers(200, StoredFile)
      }
    },
    async ({ principal, params, body }) =>
      shown(await setPicture(ctx, principal, await accountOf(ctx, principal, params.id), body.file))
  )

  app.delete(
    '/v1/users/:id/picture',
    {
      schema: {
        tags,
        summary: 'Remove your picture, or as an administrator that of an agent',
        description: 'An administrator removes that of another person with `DELETE /v1/files/:id`.',
        params,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params }) => ({
      id: await removePicture(ctx, principal, await accountOf(ctx, principal, params.id)),
      deleted: true as const
    })
  )
}

async function accountOf(ctx: Ctx, principal: Principal, ref: string): Promise<Id> {
  return (await findChangeable(principal, accounts(ctx.db), ref === 'me' ? principal.accountId : ref)).id
}
