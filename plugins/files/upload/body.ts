import multipart from '@fastify/multipart'
import { parse } from 'content-disposition'
import type { FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { invalid } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'

export interface SentFile {
  readonly name: string | undefined
  readonly chunks: AsyncIterable<Buffer>
  /** After the last chunk. @throws 400 when the request has another file */
  end(): Promise<void>
}

/** Parts beside the file, and bytes of each. */
const MAX_FIELDS = 10
const MAX_FIELD_BYTES = 1024

/** Leaves the body of requests to `sentFile`. */
export async function acceptFiles(app: App): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart)
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

export async function sentFile(request: FastifyRequest): Promise<SentFile> {
  return request.isMultipart() ? fileOfForm(request) : fileOfBody(request.raw)
}

async function fileOfForm(request: FastifyRequest): Promise<SentFile> {
  const limits = {
    files: 1,
    fields: MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
    parts: MAX_FIELDS + 1,
    // No limit here: the reader counts the bytes.
    fileSize: Infinity
  }
  const files = request.files({ limits, throwFileSizeLimit: false })
  const { value: file, done } = await files.next().catch(refuseForm)
  if (done) throw noFile()
  return {
    name: file.filename,
    chunks: chunksOf(file.file),
    async end() {
      const { done } = await files.next().catch(refuseForm)
      if (!done) throw severalFiles()
    }
  }
}

async function* chunksOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = file[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await chunks.next().catch(refuseForm)
    if (done) return
    yield value
  }
}

function refuseForm(error: Error & { code?: string }): never {
  if (error.code === 'FST_FILES_LIMIT' || error.code === 'FST_PARTS_LIMIT') throw severalFiles()
  throw invalid(`The form cannot be read (${error.message}): send it again, to its end.`)
}

const severalFiles = () => invalid('The form has more than one file: send each with a request of its own.')

function fileOfBody(raw: IncomingMessage): SentFile {
  if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) throw noFile()
  return {
    name: nameIn(raw.headers['content-disposition']),
    // The server reads the rest of the body before it answers.
    chunks: raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>,
    async end() {}
  }
}

const noFile = () =>
  invalid(
    'The request has no file: send one as multipart/form-data, or as the body with the header ' +
      'Content-Disposition: attachment; filename="name.png".'
  )

function nameIn(contentDisposition: string | undefined): string | undefined {
  if (contentDisposition === undefined) return undefined
  // Clients send names in UTF-8, which Node's parser reads as Latin-1.
  const bytes = Buffer.from(contentDisposition, 'latin1')
  return parse(bytes.toString('utf8')).parameters['filename']
}
