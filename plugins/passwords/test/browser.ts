import type { Call, TestServer } from '../../../test/runner/harness.ts'

export const PASSWORD = 'correct horse battery'
/** The header of a request from a page of this server. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

/** A browser: it keeps cookies, and sends the origin of requests. */
export interface Browser {
  /** The session's cookie. */
  cookie: string
  /** The cookie of the known browser. */
  device: string
  call(path: string, call?: Call): ReturnType<TestServer['call']>
}

export function browser(server: TestServer, cookie = '', device = ''): Browser {
  const self: Browser = {
    cookie,
    device,
    async call(path, { headers, ...call } = {}) {
      const sent = [self.cookie, self.device].filter(Boolean).join('; ')
      const answer = await server.call(path, {
        token: null,
        ...call,
        headers: { ...SAME_ORIGIN, ...(sent && { cookie: sent }), ...headers }
      })
      for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
        const [pair = ''] = line.split(';')
        if (pair.includes('tracker_device')) self.device = pair
        else self.cookie = pair
      }
      return answer
    }
  }
  return self
}

/** The administrator’s browser, after the first sign-in. */
export async function firstSignIn(server: TestServer): Promise<Browser> {
  const own = browser(server)
  const answer = await own.call('/v1/passwords/first', { body: { token: server.token, password: PASSWORD } })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return own
}
