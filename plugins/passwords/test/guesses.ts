import type { Test } from 'tap'
import { testServer, type TestOptions, type TestServer } from '../../../test/runner/harness.ts'
import { browser, PASSWORD, type Browser } from './browser.ts'

export const EMAIL = 'admin@localhost'
export const HOME = '198.51.100.7'
export const plugins = ['workspace', 'agents', 'passwords']

/** A server behind a proxy, with a clock that a test moves; its administrator has signed in at home. */
export async function start(t: Test, options: TestOptions = {}) {
  let time = Date.now()
  const all = { plugins, now: () => new Date(time), settings: { trustProxy: '127.0.0.1' }, ...options }
  const server = await testServer(all)
  t.teardown(() => server.close())
  const own = browser(server)
  const headers = { 'x-forwarded-for': HOME }
  await own.call('/v1/passwords/first', { headers, body: { token: server.token, password: PASSWORD } })
  return { server, own, options: all, pass: (seconds: number) => (time += seconds * 1000) }
}

type Answer = ReturnType<Browser['call']>

export const signIn = (who: Browser, from: string, password: string, email = EMAIL): Answer =>
  who.call('/v1/passwords/sign_in', { headers: { 'x-forwarded-for': from }, body: { email, password } })
/** A network from which nobody has signed in. */
export const elsewhere = (n: number) => `10.${Math.floor(n / 256)}.${n % 256}.1`
export const guess = (server: TestServer, from: string, email = EMAIL): Answer =>
  signIn(browser(server), from, 'a guess', email)
/** The status codes of concurrent guesses from as many networks. */
export async function guessAtOnce(server: TestServer, count: number): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => guess(server, elsewhere(n))))
  return answers.map(({ statusCode }) => statusCode)
}
export const count = (codes: readonly number[], code: number) => codes.filter(one => one === code).length
