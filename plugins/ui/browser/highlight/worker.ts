import type { Question } from './messages.ts'

/** The page loads this chunk for its address, and starts a worker with it. */
export const address = import.meta.url

if (typeof document === 'undefined') {
  const { spansOf } = await import('./languages.ts')
  addEventListener('message', ({ data }: MessageEvent<Question>) => {
    postMessage(spansOf(data.code, data.language))
  })
  postMessage([])
}
