import t, { type Test } from 'tap'
import { testServer, type Call, type TestOptions, type TestServer } from '../../../test/runner/harness.ts'
import { CLIENT, startProvider, type Faults, type TestProvider } from './provider.ts'

const PASSWORD = 'correct horse battery'
const CALLBACK = '/v1/oidc/callback'
const plugins = ['workspace', 'agents', 'passwords', 'oidc']

let provider: TestProvider
let server: TestServer
t.before(async () => {
  provider = await startProvider()
  server = await start()
})
t.teardown(async () => {
  await server.close()
  await provider.close()
})

const start = ({ settings, ...options }: TestOptions = {}, more: object = {}): Promise<TestServer> =>
  testServer({
    plugins,
    ...options,
    settings: { ...settings, plugins: { oidc: { issuer: provider.issuer, ...CLIENT, ...more } } }
  })
async function own(t: Test, ...options: Parameters<typeof start>): Promise<TestServer> {
  const server = await start(...options)
  t.teardown(() => server.close())
  return server
}
/** A new person with this name at the provider. */
async function member(of: TestServer, subject: string) {
  const email = `${subject}@example.org`
  const { id, token } = await of.ok<{ id: string; token: string }>('/v1/users', { body: { email, fullname: subject } })
  return { id, token, subject }
}
async function linked(of: TestServer, subject: string) {
  const person = await member(of, subject)
  await of.ok('/v1/oidc/identities', { body: { accountId: person.id, subject } })
  return person
}

/** A browser, with requests of its own pages and of other sites, for which it withholds `Strict` cookies. */
function visitor(server: TestServer) {
  const cookies = new Map<string, { value: string; isLax: boolean }>()
  async function send(path: string, call: Call, site: string) {
    const sent = [...cookies].filter(([, { isLax }]) => isLax || site === 'same-origin')
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ')
    const headers = { 'sec-fetch-site': site, ...(cookie && { cookie }), ...call.headers }
    const answer = await server.call(path, { token: null, ...call, headers })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/Max-Age=0\b/.test(line)) cookies.delete(name!)
      else cookies.set(name!, { value: value!, isLax: line.includes('SameSite=Lax') })
    }
    return answer
  }
  const call = (path: string, options: Call = {}) => send(path, options, 'same-origin')
  return {
    cookies,
    call,
    follow: (path: string) => send(path, {}, 'cross-site'),
    /** Begins, and signs in at the provider. @returns the path of the redirect */
    async callback(body: object = {}): Promise<string> {
      const begun = await call('/v1/oidc/sign_in', { body })
      if (begun.statusCode !== 200) throw new Error(begun.body)
      const { headers } = await fetch(begun.json<{ url: string }>().url, { redirect: 'manual' })
      const back = new URL(headers.get('location')!)
      return back.pathname + back.search
    },
    async signIn(body?: object) {
      return this.follow(await this.callback(body))
    },
    async account() {
      return (await call('/v1/session')).json<{ account: { id: string; fullname: string } | null }>().account
    }
  }
}

t.test('whom an administrator has given an identity signs in with it', async t => {
  const ada = await linked(server, 'ada')
  provider.person = { sub: 'ada' }
  const browser = visitor(server)
  const begun = await browser.call('/v1/oidc/sign_in', { body: { to: '/board?team=ENG' } })
  t.match(begun.headers['set-cookie'], /^tracker_oidc=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  const answer = await browser.signIn({ to: '/board?team=ENG' })
  t.equal(answer.statusCode, 200, 'no redirect, with which a browser would not send the cookie')
  t.match(answer.body, '<meta http-equiv="refresh" content="0; url=/board?team=ENG">')
  t.match(answer.headers['content-security-policy'], "default-src 'none'")
  t.match(provider.asked.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge']) t.ok(provider.asked.get(name)!.length > 20, name)
  t.match(await browser.account(), { id: ada.id })
  t.strictSame([...browser.cookies.keys()], ['tracker_session', 'tracker_device'], 'nothing is left of the attempt')
})

t.test('an unlinked identity cannot sign in, whatever e-mail address it has', async t => {
  provider.person = { sub: 'stranger', email: 'admin@localhost', name: 'Administrator' }
  const browser = visitor(server)
  const answer = await browser.signIn()
  t.equal(answer.statusCode, 401)
  t.match(answer.body, 'Nobody here has this identity')
  t.equal(await browser.account(), null)
})

t.test('who signs in, and who is refused, is told in the log', async t => {
  const logLines: string[] = []
  const of = await own(t, { logLines })
  const ida = await linked(of, 'ida')
  for (const sub of ['ida', 'nobody']) {
    provider.person = { sub }
    await visitor(of).signIn()
  }
  const lines = logLines.map(line => JSON.parse(line) as { security?: string })
  const about = lines.filter(({ security }) => /^(session|sign_in)\./.test(security ?? ''))
  t.match(about, [
    { security: 'session.started', method: 'oidc', accountId: ida.id, address: '127.0.0.1' },
    { security: 'sign_in.failed', method: 'oidc', reason: 'SIGN_IN_REFUSED', address: '127.0.0.1' }
  ])
  t.equal(about.length, 2)
  t.notMatch(logLines.join(''), /[?&](?:code|state)=[^…]/)
})

t.test('invalid ID tokens and denied sign-ins are refused', async t => {
  await linked(server, 'faulty')
  provider.person = { sub: 'faulty' }
  t.teardown(() => {
    provider.faults = {}
  })
  const cases: Record<string, Faults> = {
    'another issuer': { issuer: 'https://elsewhere.example' },
    'for another client': { audience: 'another-client' },
    'of another attempt': { nonce: 'another nonce' },
    'signed by somebody else': { isForged: true },
    'not signed': { isUnsigned: true },
    expired: { isExpired: true },
    denied: { isDenying: true }
  }
  for (const [title, faults] of Object.entries(cases)) {
    provider.faults = faults
    const browser = visitor(server)
    t.equal((await browser.signIn()).statusCode, 401, title)
    t.equal(browser.cookies.size, 0, `${title}: neither a session nor the attempt is left`)
  }
  provider.faults = {}
  t.equal((await visitor(server).signIn()).statusCode, 200, 'and without a fault it is not')
})

t.test('nobody is signed in with the identity of somebody else who leads them here', async t => {
  await linked(server, 'attacker')
  provider.person = { sub: 'attacker' }
  const planted = await visitor(server).callback()
  const victim = visitor(server)
  t.equal((await victim.follow(planted)).statusCode, 401, 'in a browser that has begun nothing')
  await victim.callback()
  t.equal((await victim.follow(planted)).statusCode, 401, 'in a browser that has begun something else')
  t.equal(await victim.account(), null)
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
    const begun = await victim.call('/v1/oidc/sign_in', { body: {}, headers })
    t.match(begun, { statusCode: 403, headers: { 'set-cookie': undefined } }, 'and no other site begins')
  }
})

t.test('a code without the verifier of its attempt is refused', async t => {
  await linked(server, 'intercepted')
  provider.person = { sub: 'intercepted' }
  const browser = visitor(server)
  const path = await browser.callback()
  const { value } = browser.cookies.get('tracker_oidc')!
  const begun = JSON.parse(Buffer.from(value, 'base64url').toString()) as object
  const forged = JSON.stringify({ ...begun, codeVerifier: 'x'.repeat(43) })
  browser.cookies.set('tracker_oidc', { value: Buffer.from(forged).toString('base64url'), isLax: true })
  t.equal((await browser.follow(path)).statusCode, 401)
})

t.test('an answer of the provider holds once', async t => {
  await linked(server, 'replayed')
  provider.person = { sub: 'replayed' }
  const browser = visitor(server)
  const path = await browser.callback()
  t.equal((await browser.follow(path)).statusCode, 200)
  t.equal((await browser.follow(path)).statusCode, 401)
})

t.test('a session begins with a secret of its own, whatever cookie the browser had', async t => {
  const { id } = await linked(server, 'fixed')
  provider.person = { sub: 'fixed' }
  const browser = visitor(server)
  browser.cookies.set('tracker_session', { value: 'chosen-by-an-attacker', isLax: true })
  await browser.signIn()
  t.match(browser.cookies.get('tracker_session')?.value, /^trk_\w+$/)
  t.match(await browser.account(), { id })
})

t.test('the browser goes on at this server only', async t => {
  for (const to of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'board']) {
    t.equal((await visitor(server).call('/v1/oidc/sign_in', { body: { to } })).statusCode, 400, to)
  }
})

/** A person who has signed in with a password. */
async function signedIn(of: TestServer, subject: string) {
  const person = await member(of, subject)
  const browser = visitor(of)
  await browser.call('/v1/passwords/first', { body: { token: person.token, password: PASSWORD } })
  return { ...person, browser }
}
const queryOf = (path: string) => ({ callback: path.slice(path.indexOf('?') + 1) })

t.test('a signed-in person links an identity, signs in with it, and unlinks it', async t => {
  const { browser, id } = await signedIn(server, 'bea')
  provider.person = { sub: 'bea-at-the-provider' }
  const path = await browser.callback({ link: true })
  const led = await browser.follow(path)
  t.match(led.body, 'url=/settings/single-sign-on?', 'the page of the settings ends it')
  const answer = await browser.call('/v1/oidc/link', { body: queryOf(path) })
  t.match(answer.json(), { accountId: id, issuer: provider.issuer, subject: 'bea-at-the-provider' })

  const other = visitor(server)
  await other.signIn()
  t.match(await other.account(), { id })
  const [identity] = (await other.call('/v1/oidc/identities')).json<Array<{ id: string }>>()
  t.equal((await other.call(`/v1/oidc/identities/${identity!.id}`, { method: 'DELETE' })).statusCode, 200)
  t.equal((await visitor(server).signIn()).statusCode, 401)
})

t.test('an identity is linked only to the account that began the attempt and has a session', async t => {
  const { browser } = await signedIn(server, 'cas')
  provider.person = { sub: 'cas-at-the-provider' }
  t.equal((await visitor(server).call('/v1/oidc/sign_in', { body: { link: true } })).statusCode, 403)
  const stranger = visitor(server)
  const planted = await stranger.callback()
  t.equal((await browser.call('/v1/oidc/link', { body: queryOf(planted) })).statusCode, 401, 'of another browser')
  const signingIn = await browser.callback()
  const refused = await browser.call('/v1/oidc/link', { body: queryOf(signingIn) })
  t.equal(refused.statusCode, 401, 'an attempt to sign in is none to link')
  const path = await browser.callback({ link: true })
  const { token } = await server.agent('Linker')
  t.equal((await browser.call('/v1/oidc/link', { body: queryOf(path), token })).statusCode, 403, 'of an agent')
  t.strictSame((await browser.call('/v1/oidc/identities')).json(), [])
})

t.test('an identity belongs to one person, and is free when that one is removed', async t => {
  const { id, subject } = await linked(server, 'dee')
  const other = await member(server, 'eve')
  const take = () => server.call('/v1/oidc/identities', { body: { accountId: other.id, subject } })
  t.match(await take(), { statusCode: 409 })
  await server.ok(`/v1/users/${id}`, { method: 'DELETE' })
  provider.person = { sub: 'dee' }
  t.equal((await visitor(server).signIn()).statusCode, 401, 'a removed account signs in no more')
  t.equal((await take()).statusCode, 201)
})

t.test('only administrators give identities, and see and remove those of others', async t => {
  const { id } = await linked(server, 'fay')
  const { token } = await member(server, 'gus')
  const path = `/v1/oidc/identities?accountId=${id}`
  const [identity] = await server.ok<Array<{ id: string }>>(path)
  t.equal((await server.call(path, { token })).statusCode, 403)
  const body = { accountId: id, subject: 'mine' }
  t.equal((await server.call('/v1/oidc/identities', { token, body })).statusCode, 403)
  const remove = `/v1/oidc/identities/${identity!.id}`
  t.equal((await server.call(remove, { method: 'DELETE', token })).statusCode, 404)
  t.equal((await server.call(remove, { method: 'DELETE' })).statusCode, 200)
})

t.test('with an identity somebody has a way to sign in: a token sets no password', async t => {
  const { token } = await linked(server, 'hal')
  const answer = await visitor(server).call('/v1/passwords/first', { body: { token, password: PASSWORD } })
  t.equal(answer.statusCode, 409)
})

t.test('with createAccounts a new person becomes a member, unless somebody has the address', async t => {
  const server = await own(t, {}, { createAccounts: true })
  provider.person = { sub: 'new-1', email: 'new@example.org', name: 'Newcomer' }
  const browser = visitor(server)
  await browser.signIn()
  const joined = await browser.account()
  t.match(joined, { fullname: 'Newcomer', role: 'MEMBER' })
  const again = visitor(server)
  await again.signIn()
  t.match(await again.account(), { id: joined!.id })
  for (const [sub, name, fullname] of [
    ['new-3', ' newcomer ', 'newcomer (2)'],
    ['new-4', 'Administrator', 'Administrator (2)'],
    ['new-5', 'me', 'me (2)'],
    ['new-6', 'Zoe\u0301', 'Zo\u00E9']
  ] as const) {
    provider.person = { sub, email: `${sub}@example.org`, name }
    const other = visitor(server)
    await other.signIn()
    t.match(await other.account(), { fullname })
  }
  await member(server, 'taken')
  provider.person = { sub: 'new-2', email: 'Taken@example.org', name: 'Administrator' }
  const refused = await visitor(server).signIn()
  t.equal(refused.statusCode, 401)
  t.match(refused.body, 'An account here has your e-mail address')
})

t.test('below a prefix and behind TLS the provider leads to the public address', async t => {
  const server = await own(t, { settings: { prefix: '/board', publicUrl: 'https://tracker.example.org' } })
  const begun = await visitor(server).call('/board/v1/oidc/sign_in', { body: {} })
  const { searchParams } = new URL(begun.json<{ url: string }>().url)
  t.equal(searchParams.get('redirect_uri'), `https://tracker.example.org/board${CALLBACK}`)
  t.match(begun.headers['set-cookie'], /^__Host-tracker_oidc_\w{12}=.*; HttpOnly; Secure; SameSite=Lax$/)
})

t.test('while the provider is unavailable the server runs, and sign-ins are refused with the reason', async t => {
  const away = await startProvider()
  await away.close()
  const server = await own(t, {}, { issuer: away.issuer })
  const answer = await visitor(server).call('/v1/oidc/sign_in', { body: {} })
  t.match(answer.json(), { statusCode: 503, code: 'PROVIDER_UNREACHABLE' })
  t.equal((await server.call('/health/ready', { token: null })).statusCode, 200)
})

t.test('a provider that becomes unavailable during a sign-in is named as the reason, and nobody failed', async t => {
  const away = await startProvider()
  const logLines: string[] = []
  const server = await own(t, { logLines }, { issuer: away.issuer })
  const browser = visitor(server)
  const back = await browser.callback()
  await away.close()
  const answer = await browser.follow(back)
  t.equal(answer.statusCode, 503)
  t.match(answer.body, 'cannot be reached')
  t.notOk(
    logLines.some(line => line.includes('SIGN_IN_REFUSED')),
    'it is no failed sign-in'
  )
})

t.test('without a provider nobody can sign in, and the server says what to set', async t => {
  const server = await testServer({ plugins })
  t.teardown(() => server.close())
  const answer = await visitor(server).call('/v1/oidc/sign_in', { body: {} })
  t.match(answer.json(), { statusCode: 409, message: /plugins\.oidc\.issuer/ })
  t.match((await server.call('/health/ready')).json(), { oidc: { state: 'not configured' } })
})

t.test(
  'claims are checked like the bodies of requests, and an address that is not verified makes no account',
  async t => {
    const server = await own(t, {}, { createAccounts: true })
    const people = [
      { sub: '', email: 'a@example.org' },
      { sub: `long-${'x'.repeat(300)}`, email: 'b@example.org' },
      { sub: 'no-address', email: 'x' },
      { sub: 'long-address', email: `${'x'.repeat(100_000)}@example.org` },
      { sub: 'long-name', email: 'c@example.org', name: 'x'.repeat(100_000) },
      { sub: 'lines', email: 'd@example.org', name: 'one\ntwo' },
      { sub: 'number', email: 5 },
      { sub: 'unverified', email: 'e@example.org', email_verified: false },
      { sub: 'unverified-text', email: 'f@example.org', email_verified: 'false' }
    ]
    for (const person of people) {
      provider.person = person
      t.equal((await visitor(server).signIn()).statusCode, 401, person.sub.slice(0, 20))
    }
    t.equal((await server.ok<unknown[]>('/v1/users')).length, 1)
    provider.person = { sub: 'verified', email: 'g@example.org', email_verified: true }
    t.equal((await visitor(server).signIn()).statusCode, 200)
  }
)

t.test('the provider is asked for a profile only when an account is to be made', async t => {
  provider.userInfo = { sub: 'profile', email: 'profile@example.org', email_verified: false }
  t.teardown(() => {
    provider.userInfo = undefined
  })
  const server = await own(t, {}, { createAccounts: true })
  provider.person = { sub: 'profile' }
  t.equal((await visitor(server).signIn()).statusCode, 401, 'not verified, as userinfo says')
  provider.userInfo = { sub: 'profile', email: 'profile@example.org', email_verified: true }
  t.equal((await visitor(server).signIn()).statusCode, 200)
  const requests = provider.userInfoRequests
  t.equal((await visitor(server).signIn()).statusCode, 200)
  t.equal(provider.userInfoRequests, requests)
})

t.test('an attempt is used once, within 10 minutes, whatever cookie a browser keeps', async t => {
  let time = Date.now()
  const server = await own(t, { now: () => new Date(time) })
  await linked(server, 'once')
  provider.person = { sub: 'once' }
  const begin = async () => {
    const browser = visitor(server)
    return { browser, path: await browser.callback(), cookie: browser.cookies.get('tracker_oidc')! }
  }
  const { browser, path, cookie } = await begin()
  t.equal((await browser.follow(path)).statusCode, 200)
  browser.cookies.set('tracker_oidc', cookie)
  const again = await browser.follow(path)
  t.equal(again.statusCode, 401)
  t.match(again.body, 'has not begun to sign in', 'the provider is not asked')

  const late = await begin()
  time += 601_000
  t.match((await late.browser.follow(late.path)).body, 'has not begun to sign in')
})

t.test('the code and the state are not in the log', async t => {
  const lines: string[] = []
  const server = await own(t, { logLines: lines })
  provider.person = { sub: 'nobody-known' }
  const browser = visitor(server)
  const path = await browser.callback()
  await browser.follow(path)
  await browser.follow(`/settings/single-sign-on${path.slice(path.indexOf('?'))}`)
  provider.faults = { isDenying: true }
  t.teardown(() => {
    provider.faults = {}
  })
  const denied = visitor(server)
  const deniedPath = await denied.callback()
  await denied.follow(deniedPath)
  const log = lines.join('\n')
  t.match(log, '/v1/oidc/callback')
  for (const query of [path, deniedPath]) {
    const { searchParams } = new URL(query, 'http://localhost')
    for (const name of ['code', 'state']) {
      const value = searchParams.get(name)
      if (value !== null) t.notMatch(log, value, name)
    }
  }
})

t.test('what a request names as host never reaches the provider', async t => {
  const headers = { host: 'evil.example' }
  const begun = await visitor(server).call('/v1/oidc/sign_in', { body: {}, headers })
  t.match(begun.json(), { statusCode: 409, message: /publicUrl/ })
  t.equal((await visitor(server).call(`${CALLBACK}?code=1&state=2`, { headers })).statusCode, 409)
  await t.rejects(
    start({ settings: { host: '0.0.0.0' } }),
    /publicUrl must be set \(TRACKER_PUBLIC_URL\): oidc needs it/
  )
  await own(t, { settings: { host: '0.0.0.0', publicUrl: 'https://tracker.example.org' } })
})

t.test('an identity in several workspaces signs in to the one that is chosen, once', async t => {
  let time = Date.now()
  const of = await own(t, { now: () => new Date(time) })
  const first = await linked(of, 'pia')
  const second = await of.board()
  const { id } = await linked(second, 'pia')
  const { workspace } = await second.ok<{ workspace: { id: string; name: string } }>('/v1/users/me')
  const other = await of.otherWorkspace()
  provider.person = { sub: 'pia' }
  const choose = (browser: ReturnType<typeof visitor>, workspaceId: string) =>
    browser.call('/v1/oidc/choose', { body: { workspaceId } })
  const choicesOf = async (browser: ReturnType<typeof visitor>) =>
    (await browser.call('/v1/oidc/choice')).json<{ workspaces: Array<{ id: string; name: string }> }>().workspaces

  const browser = visitor(of)
  t.strictSame(await choicesOf(browser), [])
  t.match((await browser.signIn({ to: '/board?team=ENG#top' })).body, 'url=/board?team=ENG#choose-workspace"')
  t.equal(await browser.account(), null, 'nobody is signed in before the choice')
  t.match(await choicesOf(browser), [{ name: 'Tracker' }, { id: workspace.id, name: workspace.name }])
  const stranger = visitor(of)
  t.strictSame(await choicesOf(stranger), [], 'the choice is of the browser that signed in')
  t.match((await choose(stranger, workspace.id)).json(), { statusCode: 401, code: 'SIGN_IN_REFUSED' })

  const again = visitor(of)
  again.cookies.set('tracker_oidc_choice', browser.cookies.get('tracker_oidc_choice')!)
  t.equal((await choose(browser, workspace.id)).statusCode, 200)
  t.match(await browser.account(), { id })
  t.equal((await choose(again, workspace.id)).statusCode, 401, 'it is made once')

  const switching = visitor(of)
  await switching.signIn()
  t.equal((await choose(switching, other.id)).statusCode, 401, 'a workspace without the identity')
  await switching.signIn()
  t.equal((await choose(switching, (await choicesOf(switching))[0]!.id)).statusCode, 200)
  t.match(await switching.account(), { id: first.id })

  const late = visitor(of)
  await late.signIn()
  time += 601_000
  t.strictSame(await choicesOf(late), [])
  t.equal((await choose(late, workspace.id)).statusCode, 401)
})
