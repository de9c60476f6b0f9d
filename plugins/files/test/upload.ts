import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { Call, TestServer } from '../../../test/runner/harness.ts'

export interface Uploaded {
  id: string
  name: string
  mimeType: string
  bytes: number
  sha256: string
  width?: number
  height?: number
  url: string
  createdBy: { id: string; fullname: string }
}

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

export interface UploadOptions extends Pick<Call, 'token' | 'headers'> {
  name?: string
  query?: string
}

/** The call that uploads a file as the body of the request. */
export const raw = (content: Buffer | string, { name = 'a.txt', headers, ...call }: UploadOptions = {}): Call => ({
  method: 'POST',
  body: Buffer.from(content),
  headers: {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    ...headers
  },
  ...call
})

export const upload = (server: TestServer, content: Buffer | string, options: UploadOptions = {}): Promise<Uploaded> =>
  server.ok<Uploaded>(`/v1/files${options.query ?? ''}`, raw(content, options))

/** The call that uploads a file as a form, with its name as browsers send it. */
export function form(content: Buffer | string, name: string, more = ''): Call {
  const boundary = '----boundary'
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
        'Content-Type: text/html\r\n\r\n'
    ),
    Buffer.from(content),
    Buffer.from(`\r\n${more.replaceAll('BOUNDARY', boundary)}--${boundary}--\r\n`)
  ])
  return { method: 'POST', body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

export const fileIssue = (server: TestServer, body: object = {}) =>
  server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Task', ...body } })

/** Makes the server listen. @returns its port */
export async function listen(server: TestServer): Promise<number> {
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  return (server.app.server.address() as AddressInfo).port
}

/** A person's token. */
export async function person(server: TestServer, name: string): Promise<{ id: string; token: string }> {
  return server.ok('/v1/users', { body: { email: `${name}@example.org`, fullname: name } })
}

/** Expects a refusal. */
export async function refused(t: Test, answer: Promise<{ statusCode: number; body: string }>, status: number) {
  const { statusCode, body } = await answer
  t.equal(statusCode, status, body)
}
