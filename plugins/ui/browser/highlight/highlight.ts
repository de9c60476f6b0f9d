import type { Question, Span } from './messages.ts'

const MAX_LENGTH = 32_768
/** The library's patterns take up to half a minute for some texts of 16 KB: then the worker is stopped. */
const MAX_MS = 1000
const MAX_STOPS = 3
const MAX_KNOWN = 100

const known = new Map<string, readonly Span[]>()
let worker: Promise<Worker> | undefined
let stops = 0
let queue: Promise<unknown> = Promise.resolve()

/** The first word of a code block's info string: `ts` of `ts title="a.ts"`, `rust` of `rust,ignore`. */
export const languageOf = (params: unknown): string => /^[^\s,{]+/.exec(String(params ?? ''))?.[0].toLowerCase() ?? ''

/** Code is plain when its language is unknown, it is long or takes long, or the worker cannot be loaded. */
export async function highlight(code: string, language: string): Promise<readonly Span[]> {
  if (language === '' || code.trim() === '' || code.length > MAX_LENGTH) return []
  const key = `${language}\n${code}`
  const result = queue.then(() => known.get(key) ?? request({ code, language }))
  queue = result
  const spans = await result
  known.delete(key)
  known.set(key, spans)
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!)
  return spans
}

async function request(question: Question): Promise<readonly Span[]> {
  if (stops >= MAX_STOPS) return []
  worker ??= startWorker()
  const started = await worker.catch(() => undefined)
  if (started === undefined) {
    worker = undefined
    return []
  }
  return new Promise(resolve => {
    const timer = setTimeout(() => {
      started.terminate()
      worker = undefined
      stops++
      resolve([])
    }, MAX_MS)
    started.onmessage = ({ data }: MessageEvent<Span[]>) => {
      clearTimeout(timer)
      resolve(data)
    }
    started.postMessage(question)
  })
}

async function startWorker(): Promise<Worker> {
  const { address } = await import('./worker.ts')
  const started = new Worker(address, { type: 'module' })
  return new Promise((resolve, reject) => {
    started.onmessage = () => resolve(started)
    started.onerror = () => reject(new Error('The worker that highlights code could not be loaded.'))
  })
}
