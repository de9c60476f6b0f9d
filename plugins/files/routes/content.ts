import { finished, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { create } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { Type } from 'typebox'
import { problem, type Principal } from '../../../core/api/contract.ts'
import type { App } from '../../../core/api/plugin.ts'
import { Problem } from '../../../core/api/schemas.ts'
import { isSeenByModels, isText } from '../content/inspection.ts'
import { isShownInline } from '../content/types.ts'
import type { Ctx } from '../context.ts'
import type { StoredRow } from '../queries/files.ts'
import { contentParams, MAX_JSON_IMAGE_BYTES, MAX_JSON_TEXT_BYTES, tags } from '../schemas.ts'
import { stores } from '../stores/stores.ts'
import type { ByteRange } from '../stores/store.ts'
import { findReadable } from '../subjects.ts'
import { Transfers } from '../transfers.ts'

export const rangeNotSatisfiable = problem<{ bytes: number }>(416, 'RANGE_NOT_SATISFIABLE')
export const contentMissing = problem(500, 'CONTENT_MISSING')

/** At once. */
const MAX_DOWNLOADS_OF_TOKEN = 64
const MAX_DOWNLOADS_OF_WORKSPACE = 128
const MAX_DOWNLOADS = 192

const downloads = new Transfers({
  what: 'files that are being read',
  advice: 'read one to its end first',
  perToken: MAX_DOWNLOADS_OF_TOKEN,
  perWorkspace: MAX_DOWNLOADS_OF_WORKSPACE,
  perProcess: MAX_DOWNLOADS,
  full: 'The server already sends as many files as it can: try again in a few seconds.'
})

const binary = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } }
})
const response: Record<string, object> = {
  200: binary('The content, with the type that was found in it.'),
  206: binary('The bytes of the header `Range`.'),
  '4xx': Problem,
  '5xx': Problem
}

export function contentRoutes(app: App, ctx: Ctx): void {
  const send = (request: FastifyRequest, reply: FastifyReply, id: string) => sendContent(ctx, request, reply, id)
  app.get(
    '/v1/files/:id/:name',
    {
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'The content of a file',
        description:
          'Images, videos (MP4, WebM) and PDF are shown in place, all else is downloaded. `Range`, `If-Range` and ' +
          '`If-None-Match` hold. The name in the path is for people: the id decides.',
        params: contentParams,
        response
      }
    },
    (request, reply) => send(request, reply, request.params.id)
  )
  app.head('/v1/files/:id/:name', { schema: { hide: true, params: contentParams } }, (request, reply) =>
    send(request, reply, request.params.id)
  )
}

/** @throws 404, 416, 429, 503 */
async function sendContent(ctx: Ctx, request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
  const { principal, method, headers } = request
  const { workspaceId } = principal
  const file = await findReadable(ctx, principal, id)
  const etag = `"${Buffer.from(file.sha256).toString('hex')}"`
  describe(reply, file, etag)
  if (fresh(headers, { etag })) return reply.code(304).send()

  const range = rangeOf(headers, etag, file.bytes, reply)
  reply.header('content-length', range.end - range.start + 1)
  if (method === 'HEAD' || file.bytes === 0) return reply.send()
  // Not `once('close')`: the client may have gone already.
  finished(reply.raw, downloads.take(principal))
  const content = await ctx.get(stores).get(file.store).read({ workspaceId, id }, range)
  if (content === undefined) {
    reply.removeHeader('content-length')
    throw contentLost()
  }
  return reply.send(Readable.from(content, { objectMode: false }))
}

const contentLost = () =>
  contentMissing('The content of this file is lost: an administrator can restore it from a backup.')

/** Empty for what is large, or neither image nor text. @throws 429, 500, 503 */
export async function contentAsJson(
  ctx: Ctx,
  principal: Principal,
  { id, store, bytes, ...file }: StoredRow
): Promise<{ text?: string; base64?: string }> {
  const isImage = isSeenByModels(file)
  if (bytes > (isImage ? MAX_JSON_IMAGE_BYTES : MAX_JSON_TEXT_BYTES)) return {}
  if (bytes === 0) return { text: '' }
  const release = downloads.take(principal)
  try {
    const { workspaceId } = principal
    const chunks = await ctx
      .get(stores)
      .get(store)
      .read({ workspaceId, id }, { start: 0, end: bytes - 1 })
    if (chunks === undefined) throw contentLost()
    const content = await buffer(chunks)
    if (isImage) return { base64: content.toString('base64') }
    return isText(content) ? { text: content.toString() } : {}
  } finally {
    release()
  }
}

/** Nothing in it is executed, and each read is authorized anew. */
function describe(reply: FastifyReply, { name, mimeType }: StoredRow, etag: string): void {
  const type = isShownInline(mimeType) ? 'inline' : 'attachment'
  reply.headers({
    etag,
    'content-type': mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : mimeType,
    'content-disposition': create(name, { type }),
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes'
  })
}

/** @throws 416 */
function rangeOf(
  { range, 'if-range': ifRange }: FastifyRequest['headers'],
  etag: string,
  bytes: number,
  reply: FastifyReply
): ByteRange {
  const all = { start: 0, end: bytes - 1 }
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  // Several ranges, and other units, are answered with the whole file.
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== etag)) return all
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (start > end || start >= bytes) {
    reply.header('content-range', `bytes */${bytes}`)
    throw rangeNotSatisfiable(`The file has ${bytes} bytes, and none of those in the header Range.`, { bytes })
  }
  reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`)
  return { start, end }
}
