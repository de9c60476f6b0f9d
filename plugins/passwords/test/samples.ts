import type { Samples } from '../../../test/samples.ts'
import { browser, PASSWORD, SAME_ORIGIN } from './browser.ts'

export const samples: Samples = {
  /** With the core's requests that need a session. */
  async requests({ key }, _size, server) {
    const add = async (name: string) => {
      const email = `${name}.${key}@example.org`
      const { token } = await server.ok<{ token: string }>('/v1/users', { body: { email, fullname: `${name} ${key}` } })
      return { email, token }
    }
    const [first, second] = [await add('first'), await add('second')]
    const own = browser(server)
    await own.call('/v1/passwords/first', { body: { token: first.token, password: PASSWORD } })
    const inSession = { token: null, headers: { ...SAME_ORIGIN, cookie: own.cookie } }
    const signedOut = { token: null, headers: SAME_ORIGIN }
    return [
      ['/v1/session', inSession],
      ['/v1/session/sign_out', { ...inSession, body: {} }],
      ['/v1/passwords/first', { ...signedOut, body: { token: second.token, password: PASSWORD } }],
      ['/v1/passwords/sign_in', { ...signedOut, body: { email: second.email, password: PASSWORD } }],
      ['/v1/passwords', { token: second.token, body: { currentPassword: PASSWORD, password: `${PASSWORD} 2` } }],
      ['/v1/session/sign_out_everywhere', { token: second.token, body: {} }]
    ]
  },
  withoutEvents: {
    'POST /v1/session/sign_out': 'needs the session of a browser, see test/audit.test.ts',
    'POST /v1/session/sign_out_everywhere': 'needs the session of a browser, see test/audit.test.ts',
    'POST /v1/passwords/sign_in': 'needs a person with a password, see test/audit.test.ts',
    'POST /v1/passwords/first': 'needs a person with a password, see test/audit.test.ts',
    'POST /v1/passwords': 'needs a person with a password, see test/audit.test.ts'
  },
  withoutLocks: [
    'POST /v1/session/sign_out',
    'POST /v1/session/sign_out_everywhere',
    'POST /v1/passwords',
    'POST /v1/passwords/first',
    'POST /v1/passwords/sign_in'
  ],
  moreStatements: { 'POST /v1/passwords': 9, 'POST /v1/passwords/first': 2, 'POST /v1/passwords/sign_in': 5 }
}
