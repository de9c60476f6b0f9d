import type { Answer, Question } from './messages.ts'

/** The page loads this chunk for its address, and starts a worker with it. */
export const address = import.meta.url

if (typeof document === 'undefined') {
  const { spansOf } = await import('./languages.ts')
  addEventListener('message', ({ data }: MessageEvent<Question>) => {
    answer({ spans: spansOf(data.code, data.language) })
  })
  answer({ spans: [] })
}

function answer(message: Answer): void {
  postMessage(message)
}
