import type { Call, TestServer } from '../../../test/harness.ts'

export const PASSWORD = 'correct horse battery'
/** What a browser says of a request that a page of this server makes. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

/** A browser: it keeps cookies, and says where a request comes from. */
export interface Browser {
  cookie: string
  call(path: string, call?: Call): ReturnType<TestServer['call']>
}

export function browser(server: TestServer, cookie = ''): Browser {
  const self: Browser = {
    cookie,
    async call(path, { headers, ...call } = {}) {
      const answer = await server.call(path, {
        token: null,
        ...call,
        headers: { ...SAME_ORIGIN, ...(self.cookie && { cookie: self.cookie }), ...headers }
      })
      const set = answer.headers['set-cookie']
      if (set !== undefined) self.cookie = String(set).split(';')[0]!
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
