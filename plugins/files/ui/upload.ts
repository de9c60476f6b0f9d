import { ApiProblem, prefix, type UploadOptions } from '../../ui/browser/contract.ts'
import { remember, type FileInfo } from './data.ts'

const ATTEMPTS = 3
/** Twice as long before each further attempt. */
const PAUSE_MS = 1000
/** The connection was cut, or the server is busy: the same request may succeed. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ApiProblem && [0, 408, 429, 502, 503, 504].includes(error.status)

/**
 * Repeated when the connection is cut: its key lets the file arrive once.
 * @param subject of the file: `account:<id>`
 */
export async function upload(file: File, options: UploadOptions, subject?: string): Promise<FileInfo> {
  for (let attempt = 1; ; attempt++) {
    try {
      return remember(await send(file, options, subject))
    } catch (error) {
      if (attempt === ATTEMPTS || !isTemporary(error)) throw error
    }
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS * 2 ** (attempt - 1)))
  }
}

/** With XMLHttpRequest: `fetch` reports no progress. */
function send(file: File, { idempotencyKey, signal, onProgress }: UploadOptions, subject?: string): Promise<FileInfo> {
  signal.throwIfAborted()
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<FileInfo>()
  request.open('POST', `${prefix}/v1/files${subject === undefined ? '' : `?subject=${subject}`}`)
  request.setRequestHeader('idempotency-key', idempotencyKey)
  request.responseType = 'json'
  request.upload.onprogress = ({ loaded }) => onProgress(loaded)
  request.onload = () => {
    const answer: unknown = request.response
    if (request.status === 201) resolve(answer as FileInfo)
    else reject(new ApiProblem(request.status, (answer ?? {}) as object))
  }
  request.onerror = () => {
    const message = 'The connection was cut: retry when the server can be reached.'
    reject(new ApiProblem(0, { code: 'OFFLINE', message }))
  }
  request.onabort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', () => request.abort())
  const form = new FormData()
  form.append('file', file)
  request.send(form)
  return promise
}
