import type { Dispatcher } from 'undici'

const MAX_ANSWER_BYTES = 1024

export interface Outcome {
  isDelivered: boolean
  responseStatus: number | null
  durationMs: number
  responseBody: string | null
  error: string | null
}

/** Within the time limit, and without following redirects. @throws the reason with which `signal` was aborted */
export async function send(
  dispatcher: Dispatcher,
  url: string,
  message: { headers: Record<string, string>; body: string; signal: AbortSignal; timeoutMs: number }
): Promise<Outcome> {
  const { headers, body, signal, timeoutMs } = message
  const { request } = await import('undici')
  const began = performance.now()
  const limit = AbortSignal.timeout(timeoutMs)
  const ended = (outcome: Omit<Outcome, 'durationMs'>): Outcome => ({
    ...outcome,
    durationMs: Math.round(performance.now() - began)
  })
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([signal, limit])
    })
    const responseBody = await readBeginning(answer.body)
    const isDelivered = answer.statusCode >= 200 && answer.statusCode < 300
    return ended({
      isDelivered,
      responseStatus: answer.statusCode,
      responseBody,
      error: isDelivered ? null : refusal(answer.statusCode)
    })
  } catch (error) {
    signal.throwIfAborted()
    const problem = limit.aborted ? `No answer within ${timeoutMs / 1000} s.` : messageOf(error)
    return ended({ isDelivered: false, responseStatus: null, responseBody: null, error: problem })
  }
}

const refusal = (status: number): string =>
  status >= 300 && status < 400
    ? `The receiver redirects (${status}): redirects are not followed, give the webhook the URL itself.`
    : `The receiver answered ${status}: only 2xx is a success.`

const messageOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException
  return (message === '' ? (code ?? 'The connection failed.') : message).slice(0, 500)
}

/** Reads the body's beginning. Errors are ignored, because the status has been received. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes >= MAX_ANSWER_BYTES) break
    }
  } catch {
    // The body was aborted, or too slow.
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8').replaceAll('\0', '\uFFFD')
}
