import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { conflict } from '../../../core/api/errors.ts'
import { validatorCompiler } from '../../../core/api/http.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers } from '../../../core/api/schemas.ts'
import type { Principal } from '../../../core/api/contract.ts'
import { addedEvent } from '../binding.ts'
import { assertSubjectInReach } from '../confinement.ts'
import type { Ctx } from '../context.ts'
import { fileAdded, fileUploaded } from '../contract.ts'
import { MAX_PICTURE_BYTES, pictureTooLarge, removeFormerPicture } from '../pictures.ts'
import { findFile, publish, type StoredRow, type Subject } from '../queries/files.ts'
import { addUsage } from '../queries/usage.ts'
import { StoredFile, tags, UploadQuery } from '../schemas.ts'
import { shown } from '../shown.ts'
import { freeMemory } from '../stores/memory.ts'
import { subjectOf } from '../subjects.ts'
import { acceptFiles, sentFile } from './body.ts'
import { fileTooLarge, uploads, workspaceFull } from './limits.ts'
import { discard, receiveFile, type ReceivedFile } from './receive.ts'

/** Beside the file. */
const MAX_FORM_BYTES = 64 * 1024

const UPLOAD = 'upload'

interface Upload {
  file: ReceivedFile
  subject: Subject | undefined
}

export async function uploadRoute(app: App, ctx: Ctx): Promise<void> {
  app.decorateRequest(UPLOAD, null)
  await acceptFiles(app)

  app.post(
    '/v1/files',
    {
      config: { hasSlowBody: true },
      schema: {
        tags,
        summary: 'Upload a file',
        description:
          'As `multipart/form-data`, or as the body itself with `Content-Disposition: attachment; filename="…"`. ' +
          'Without a subject only you read it, until you write a text that names its `url`: then whoever reads ' +
          'that text’s issue, project or knowledge reads the file, too. With `subject=account:<id>` it becomes the ' +
          'account’s picture. At most 4 uploads at once.',
        consumes: ['multipart/form-data', 'application/octet-stream'],
        body: Type.Unsafe<unknown>(Type.Object({ file: Type.String({ format: 'binary' }) })),
        querystring: UploadQuery,
        response: answers(201, StoredFile)
      },
      // The body is no JSON: its hook below reads it.
      validatorCompiler: route => (route.httpPart === 'body' ? () => true : validatorCompiler(route)),
      // Before the look-up of an Idempotency-Key, which compares the content.
      preValidation: async request => {
        const upload = await receive(ctx, request)
        request.setDecorator(UPLOAD, upload)
        request.body = upload.file
      },
      onResponse: async (request, reply) => {
        const upload = request.getDecorator<Upload | null>(UPLOAD)
        if (upload && !isPublished(reply)) await discard(ctx, upload.file.key, upload.file.store)
      }
    },
    async (request, reply) => {
      const { file, subject } = request.getDecorator<Upload>(UPLOAD)
      const row = await publishFile(ctx, request.principal, file, subject)
      return reply.code(201).send(shown(row))
    }
  )
}

/** A repeated answer is that of an earlier upload. */
const isPublished = (reply: FastifyReply): boolean =>
  reply.statusCode === 201 && !reply.hasHeader('idempotency-replayed')

/** @throws 400, 403, 404, 408, 413, 429, 503 */
async function receive(ctx: Ctx, request: FastifyRequest): Promise<Upload> {
  const { principal, raw } = request
  const { maxBytes } = ctx.settings
  try {
    const subject = await subjectOf(ctx, principal, request.query as Static<typeof UploadQuery>)
    await assertSubjectInReach(ctx, principal, subject, 'write')
    const leastBytes = Number(raw.headers['content-length'] ?? 0) - MAX_FORM_BYTES
    if (leastBytes > maxBytes) throw fileTooLarge(maxBytes)
    if (subject?.type === 'account' && leastBytes > MAX_PICTURE_BYTES) throw pictureTooLarge()
    const end = uploads.take(principal)
    try {
      return { file: await receiveFile(ctx, principal, await sentFile(request)), subject }
    } finally {
      end()
    }
  } catch (error) {
    // A client reads the answer only when it has sent the whole body.
    raw.unpipe()
    raw.on('data', freeMemory).resume()
    throw error
  }
}

/** @throws 400, 404, 409, 413 */
async function publishFile(
  ctx: Ctx,
  principal: Principal,
  { key, content, name }: ReceivedFile,
  subject: Subject | undefined
): Promise<StoredRow> {
  const { workspaceId, accountId } = principal
  const { maxBytesPerWorkspace } = ctx.settings
  const { mimeType, bytes } = content
  return ctx.transaction(async trx => {
    if (subject?.type === 'issue') await ctx.use.issues.lock(principal, trx, [subject.id])
    if (subject?.type === 'account') await removeFormerPicture(ctx, trx, principal, subject.id, content)
    if (!(await publish(trx, key, content, subject))) throw conflict('The upload took too long: send the file again.')
    if (!(await addUsage(trx, workspaceId, bytes, maxBytesPerWorkspace))) throw workspaceFull(maxBytesPerWorkspace)
    const file = { id: key.id, name, mimeType, bytes }
    if (subject === undefined) {
      await ctx.emit(trx, fileUploaded, principal, [{ subjectId: key.id, accountId, data: { name, mimeType, bytes } }])
    } else {
      await ctx.emit(trx, fileAdded, principal, [addedEvent(file, subject)])
    }
    return (await findFile(trx, key))!
  })
}
