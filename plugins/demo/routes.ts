import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { forbidden, missing } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText, Nullable } from '../../core/api/schemas.ts'
import { readScope } from '../../core/api/scopes.ts'
import { forceLine } from '../../core/api/text.ts'
import type { Ctx } from './context.ts'
import { deleteSampleBoard, findSampleBoard, workspaceName } from './queries.ts'

/** The most that a workspace's name has. */
const MAX_NAME_CHARACTERS = 100

const tags = ['session']
const Board = Closed({ id: IdText, name: Type.String() })
/** Without idempotency keys, because an answer that sets a session cannot be replayed. */
const config = { admin: true, scope: readScope }

export function demoRoutes(app: App, ctx: Ctx): void {
  const { asServer, db, transaction, use } = ctx

  app.get(
    '/v1/demo',
    {
      config,
      schema: {
        tags,
        summary: 'The sample board that was created from this workspace',
        response: answers(
          200,
          Closed({
            board: Nullable(Board, { description: 'Null: there is none.' }),
            isHere: Type.Boolean({ description: 'Whether this workspace is the sample board.' })
          })
        )
      }
    },
    async ({ principal: { workspaceId } }) => {
      const sample = await findSampleBoard(db, workspaceId)
      return {
        board: sample ? { id: sample.id, name: sample.name } : null,
        isHere: sample?.id === workspaceId
      }
    }
  )

  app.delete(
    '/v1/demo',
    {
      config,
      schema: {
        tags,
        summary: 'Remove the sample board, with everything in it',
        description: 'Sessions in it end.',
        response: answers(200, Deleted)
      }
    },
    async ({ principal: { workspaceId, accountId }, ip: address }) => {
      const sample = await findSampleBoard(db, workspaceId)
      if (!sample) throw missing('There is no sample board: POST /v1/demo creates one.')
      await use.workspace.remove({ ...asServer(sample.id, accountId), address })
      await transaction(trx => deleteSampleBoard(trx, sample.madeFromId))
      return { id: sample.id, deleted: true as const }
    }
  )
}

export function openRoute(app: App, ctx: Ctx): void {
  const { db } = ctx
  const { sessions } = ctx.use

  app.post(
    '/v1/demo',
    {
      config,
      schema: {
        tags,
        summary: 'Open a sample board, which is created when there is none',
        description:
          'It is a separate workspace: this browser continues in it, as its administrator, until POST /v1/demo/leave.',
        body: Closed({}),
        response: answers(200, Board)
      }
    },
    async (request, reply) => {
      const { workspaceId } = request.principal
      await assertSession(request)
      const { id, name, adminId } =
        (await findSampleBoard(db, workspaceId)) ?? (await makeBoard(ctx, workspaceId, request.ip))
      if (id !== workspaceId) await sessions.visit(request, reply, { workspaceId: id, accountId: adminId })
      return { id, name }
    }
  )

  app.post(
    '/v1/demo/leave',
    {
      config,
      schema: {
        tags,
        summary: 'Leave the sample board',
        description: 'This browser goes on in the session from which it was opened, if that has not ended meanwhile.',
        body: Closed({}),
        response: answers(200, Closed({ isSignedIn: Type.Boolean() }))
      }
    },
    async (request, reply) => {
      const { workspaceId } = request.principal
      if ((await findSampleBoard(db, workspaceId))?.id !== workspaceId) throw missing('This is no sample board.')
      await assertSession(request)
      const own = await sessions.goBack(request, reply)
      if (!own) await sessions.end(request, reply)
      return { isSignedIn: own !== undefined }
    }
  )

  async function assertSession(request: FastifyRequest): Promise<void> {
    const hasSession = request.headers.authorization === undefined && (await sessions.principalOf(request))
    if (!hasSession) throw forbidden('A sample board is opened in a browser: sign in, or use the command "demo".')
  }
}

async function makeBoard(ctx: Ctx, madeFromId: string, address: string) {
  const name = forceLine(`Sample board of ${await workspaceName(ctx.db, madeFromId)}`.slice(0, MAX_NAME_CHARACTERS))
  const { makeDemo } = await import('./make.ts')
  const { workspaceId: id, adminId } = await makeDemo(ctx, {
    name,
    adminEmail: 'sample@localhost',
    madeFromId,
    address
  })
  return { id, name, adminId }
}
