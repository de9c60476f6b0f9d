import { TOKEN_VARIABLE } from './options.ts'

const TIMEOUT_MS = 5_000

/** A failure does not stop the command: a repository may be connected before its server is started. */
export async function checkServer(url: string, token: string | undefined): Promise<string> {
  const response = await fetch(`${url}/v1/users/me`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS)
  }).catch(() => undefined)
  if (response === undefined) return `Nothing answers at ${url}: start the server, or connect again with its --url.`
  const answer = (await response.json().catch(() => ({}))) as { code?: string; fullname?: string }
  if (response.ok && answer.fullname !== undefined) return `${url} accepts the token: it is ${answer.fullname}’s.`
  if (response.status !== 401 || answer.code === undefined) {
    return `The server at ${url} is not tracker (HTTP ${response.status}): connect again with the right --url.`
  }
  return token === undefined
    ? `${url} answers. There is no ${TOKEN_VARIABLE} here, so the token is not checked.`
    : `${url} answers, but refuses the token in ${TOKEN_VARIABLE}: an administrator can make a new one.`
}
