import { create } from 'content-disposition'
import { Type, type Static } from 'typebox'
import { isId } from '../../core/api/database/queries.ts'
import { abbreviate } from '../../core/api/errors.ts'
import { Closed } from '../../core/api/schemas.ts'
import { readScope, writeScope } from '../../core/api/scopes.ts'
import { Task } from '../issues/contract.ts'
import { ImageResult, RawBody, tool, ToolError, type Tool } from '../mcp/contract.ts'
import { filesNamedIn } from './binding.ts'
import { isShownAsImage } from './content/types.ts'
import type { FileWithContent, StoredFile } from './schemas.ts'

const MAX_ATTACHED_BYTES = 1024 * 1024

const getFile = tool({
  name: 'get_file',
  description: 'Look at a file. Returns a small image or text, else its url.',
  input: Closed({
    file: Type.String({ description: 'Url or id.', aliases: ['url', 'id', 'fileId'] })
  }),
  scope: readScope,
  hints: { readOnly: true, destructive: false, idempotent: true },
  async handle({ file }, { rest }) {
    const id = filesNamedIn(file)[0] ?? file.trim()
    if (!isId(id.toLowerCase())) {
      throw new ToolError(`There is no file '${abbreviate(file)}': send the url that a text has, or get_task in files.`)
    }
    const { name, mimeType, bytes, width, height, url, text, base64 } = await rest<Static<typeof FileWithContent>>(
      'GET',
      `/v1/files/${id}?content=true`
    )
    const result = { name, mimeType, bytes, width, height }
    if (base64 !== undefined) return new ImageResult(result, base64, mimeType)
    if (text !== undefined) return { ...result, text }
    return { ...result, url, read: 'GET url from this server with your token; Range holds.' }
  }
})

const attachFile = tool({
  name: 'attach_file',
  description: 'Attach a file to a task. Returns its markdown for notes.',
  input: Closed({
    task: Task,
    name: Type.String({ description: 'With its extension.', aliases: ['filename', 'fileName'] }),
    text: Type.Optional(Type.String({ description: 'Content.', aliases: ['content'] })),
    base64: Type.Optional(Type.String({ description: 'Or this.', aliases: ['data'] }))
  }),
  scope: writeScope,
  hints: { readOnly: false, destructive: false, idempotent: false },
  restNames: { issueId: 'task' },
  async handle({ task, name, text, base64 }, { rest }) {
    if ((text === undefined) === (base64 === undefined)) throw new ToolError('Send text or base64, one of them.')
    const content = base64 === undefined ? Buffer.from(text!) : decode(base64)
    const query = new URLSearchParams({ issueId: task })
    if (content.length > MAX_ATTACHED_BYTES) {
      throw new ToolError(
        'A tool takes files of up to 1 MiB. Send this one by REST: ' +
          `curl -H "Authorization: Bearer $TOKEN" -F file=@PATH "$TRACKER/v1/files?${query}"`
      )
    }
    const file = await rest<Static<typeof StoredFile>>(
      'POST',
      `/v1/files?${query}`,
      new RawBody(content, {
        'content-type': 'application/octet-stream',
        'content-disposition': create(name)
      })
    )
    return { markdown: markdownOf(file) }
  }
})

function decode(base64: string): Buffer {
  const encoded = base64.replace(/^data:[^,]*;base64,/, '').replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(encoded)) {
    throw new ToolError('arguments.base64 is not base64: encode the bytes of the file, or send its text as text.')
  }
  return Buffer.from(encoded, 'base64')
}

function markdownOf({ name, mimeType, url }: Static<typeof StoredFile>): string {
  const mark = isShownAsImage(mimeType) ? '!' : ''
  return `${mark}[${name.replaceAll(/[\\`*[\]<]/g, String.raw`\$&`)}](${url})`
}

export const tools: readonly Tool[] = [getFile, attachFile]
