import { tooLarge } from '../../../core/api/errors.ts'
import { problem } from '../../../core/api/contract.ts'
import { Transfers } from '../transfers.ts'

const MAX_UPLOADS_OF_TOKEN = 4
const MAX_UPLOADS = 32

export const uploads = new Transfers({
  what: 'uploads under way',
  advice: 'send this file again when one of them has ended',
  perToken: MAX_UPLOADS_OF_TOKEN,
  perWorkspace: MAX_UPLOADS,
  perProcess: MAX_UPLOADS,
  full: 'The server already takes as many files as it can: send this one again in a few seconds.'
})

const MIB = 1024 * 1024
export const inMib = (bytes: number): string =>
  bytes < MIB ? `${bytes} bytes` : `${Math.floor((bytes / MIB) * 10) / 10} MiB`

export const fileTooLarge = (maxBytes: number) =>
  tooLarge(`The file is too large: a file has at most ${inMib(maxBytes)} here (plugins.files.maxBytes).`)
export const workspaceFull = (maxBytes: number) =>
  tooLarge(
    `The files of this workspace have at most ${inMib(maxBytes)} together (plugins.files.maxBytesPerWorkspace), and ` +
      'this one would exceed that: remove files first.'
  )
export const uploadStalled = problem(408, 'REQUEST_TIMEOUT')

/** @throws 408 when no byte arrives for a time */
export async function* untilStalled(chunks: AsyncIterable<Buffer>, timeoutMs: number): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { promise: stalled, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        reject(uploadStalled(`No byte of the file arrived for ${timeoutMs / 1000} seconds: send it again.`))
      }, timeoutMs)
      const next = iterator.next()
      // After a timeout nobody waits for it.
      next.catch(() => {})
      const { done, value } = await Promise.race([next, stalled]).finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    // Not awaited: it would wait for the chunk that does not arrive.
    iterator.return?.().then(undefined, () => {})
  }
}
