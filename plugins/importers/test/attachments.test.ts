import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { runInProcess, type Ended } from '../../../test/runner/run-in-process.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

interface Uploaded {
  id: string
  name: string
  url: string
}
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

type Answers = (request: IncomingMessage, response: ServerResponse, url: URL) => void

/** A server on loopback, and the requests that it got. */
async function serve(t: Test, answers: Answers) {
  const requests: Array<{ path: string; authorization: string | undefined }> = []
  const server = createServer((request, response) => {
    const url = new URL(request.url!, `http://${request.headers.host}`)
    requests.push({ path: url.pathname, authorization: request.headers.authorization })
    answers(request, response, url)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** How often each path was requested, without the API. */
  const downloads = () => requests.map(({ path }) => path).filter(path => !/\/(?:rest|repos)\//.test(path))
  return { origin, requests, downloads }
}
const json = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const send = (response: ServerResponse, content: Buffer | string, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/octet-stream', ...headers }).end(content)

/** A server that has its own settings of plugins, and the command `import`. */
async function start(t: Test, plugins: object = {}) {
  const server = await testServer({ settings: { plugins } })
  t.teardown(() => server.close())
  const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    runInProcess(server, ['import', '--from', ...args], env)
  return { server, run }
}

interface Context {
  descriptionMarkdown: string
  files?: Array<{ id: string; name: string; mimeType: string; url: string }>
  linkedIssues?: Array<{ url: string }>
  comments: Array<{ bodyMarkdown: string }>
}
const contextOf = (server: TestServer, key: string) =>
  server.ok<Context>(`/v1/issues/${encodeURIComponent(key)}/context`)
const filesOf = (server: TestServer, key: string) => server.ok<Uploaded[]>(`/v1/issues/${key}/files`)

const folderOf = (files: Record<string, string | Buffer | object[]>): string => {
  const folder = temporaryFolder(t)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    const isText = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(join(folder, name), isText ? content : JSON.stringify(content))
  }
  return folder
}

const jiraIssue = (key: string, fields: object) => ({
  id: key.replace(/\D/g, ''),
  key,
  fields: { summary: key, project: { key: 'ATT' }, status: { name: 'Open' }, ...fields }
})
const ann = { accountId: 'ann', displayName: 'Ann' }
const attachment = (id: string, filename: string, content: string, more: object = {}) => ({
  ...{ id, filename, content, author: ann, created: '2026-01-02T03:04:05.000Z' },
  ...more
})

t.test('Jira: attachments come as files, with authors and times, and texts name them', async t => {
  const { server, run } = await start(t)
  let searches = 0
  let description = 'See !shot.png|thumbnail! and [the log|^app log.txt].'
  const jira = await serve(t, (_, response, url) => {
    if (url.pathname.endsWith('/search')) {
      searches++
      const content = (id: string) => `${jira.origin}/secure/attachment/${id}/x`
      const attachments = [
        attachment('7', 'shot.png', content('7'), { size: PIXEL.length }),
        attachment('8', 'app log.txt', content('8'), { size: 5 }),
        attachment('9', 'unnamed.bin', content('9'))
      ]
      const comment = { total: 1, comments: [{ id: '1', author: ann, body: 'As in !shot.png!' }] }
      json(response, { total: 1, issues: [jiraIssue('ATT-1', { description, attachment: attachments, comment })] })
    } else if (url.pathname.includes('/7/')) send(response, PIXEL)
    else send(response, url.pathname.includes('/8/') ? 'a log' : Buffer.from([1, 2, 0]))
  })
  const place = `${jira.origin}/browse/ATT`
  const env = { JIRA_TOKEN: 's3cret' }

  const dry = await run(['jira', place, '--files', '--dry-run'], env)
  t.match(dry.err, /Files to fetch: 3, of which 2 have 1 KiB; the sizes of the others are not known\./)
  t.strictSame(jira.downloads(), [], 'a dry run downloads nothing')

  const without = await run(['jira', place], env)
  t.match(without, { code: 0, err: /Left out files: 3 \(they stay links to the source; --files brings them\)/ })
  t.strictSame(jira.downloads(), [], 'files are off for a live source')
  t.match((await contextOf(server, 'ATT-1')).descriptionMarkdown, `](${jira.origin}/secure/attachment/7/x)`)

  t.match(await run(['jira', place, '--files'], env), { code: 0, err: /3 file\./ })
  const files = await filesOf(server, 'ATT-1')
  t.match(files, [
    { name: 'shot.png', mimeType: 'image/png', createdBy: { fullname: 'Ann' }, createdAt: '2026-01-02T03:04:05.000Z' },
    { name: 'app log.txt', mimeType: 'text/plain', bytes: 5 },
    { name: 'unnamed.bin', bytes: 3 }
  ])
  const [shot, log] = files.map(({ url }) => url)
  t.ok((await server.call(shot!)).rawPayload.equals(PIXEL))
  const context = await contextOf(server, 'ATT-1')
  t.equal(context.descriptionMarkdown, `See ![shot.png](${shot}) and [the log](${log}).`)
  t.equal(context.comments[0]!.bodyMarkdown, `As in ![shot.png](${shot})`)
  t.equal(context.files?.length, 3, 'also the one that no text names')
  t.notOk(context.linkedIssues?.length, 'a file here needs no link')
  t.strictSame([...new Set(jira.requests.map(({ authorization }) => authorization))], ['Bearer s3cret'])

  for (const args of [['--files'], [], ['--no-files']]) {
    t.match(await run(['jira', place, ...args], env), { code: 0, err: /Added: nothing\. There already/ }, args.join())
  }
  t.equal(jira.downloads().length, 3, 'nothing is downloaded twice')
  t.equal((await contextOf(server, 'ATT-1')).descriptionMarkdown, context.descriptionMarkdown)

  description = 'Only !shot.png! now.'
  t.match(await run(['jira', place], env), { code: 0, err: /Changed: 1 issue/ })
  t.equal((await contextOf(server, 'ATT-1')).descriptionMarkdown, `Only ![shot.png](${shot}) now.`)
  t.equal(searches, 7)

  await server.ok(`/v1/files/${files[2]!.id}`, { method: 'DELETE' })
  t.match(await run(['jira', place, '--files'], env), { code: 0, err: /Added: nothing/ })
  t.equal((await filesOf(server, 'ATT-1')).length, 2, 'what was removed here stays away')
})

t.test('what cannot be fetched stays a link, is reported with its place and the reason, and comes later', async t => {
  const { server, run } = await start(t, { files: { maxBytes: 1000 }, importers: { fileTimeoutMs: 2000 } })
  const names = ['gone', 'private', 'page', 'large', 'said-large', 'slow', 'busy', 'ring', 'good']
  let isMended = false
  const jira = await serve(t, (_, response, url) => {
    const name = url.pathname.split('/').at(-1)!
    if (url.pathname.endsWith('/search')) {
      const attachments = names.map((name, n) =>
        attachment(`${n}`, `${name}.txt`, `${jira.origin}/a/${name}`, name === 'said-large' ? { size: 5000 } : {})
      )
      const description = names.map(name => `[^${name}.txt]`).join(' ')
      json(response, { total: 1, issues: [jiraIssue('ATT-1', { description, attachment: attachments })] })
    } else if (isMended || name === 'good') send(response, name)
    else if (name === 'gone') response.writeHead(404).end()
    else if (name === 'private') response.writeHead(403).end()
    else if (name === 'page') send(response, '<h1>Sign in', { 'content-type': 'text/html' })
    else if (name === 'ring') response.writeHead(302, { location: url.href }).end()
    else if (name === 'slow') response.writeHead(200).write('begun')
    else if (name === 'busy' && jira.downloads().filter(path => path.endsWith('busy')).length === 1) {
      response.writeHead(503, { 'retry-after': '0' }).end()
    } else if (name === 'busy') send(response, 'now')
    else send(response, Buffer.alloc(2000, 'x'))
  })
  const report = join(temporaryFolder(t), 'report.json')
  const { code, err } = await run(['jira', jira.origin, '--files', '--report', report])
  t.equal(code, 2)
  t.match(err, /2 file\. There already: 0\. Skipped: 7\./)
  const skipped = (JSON.parse(readFileSync(report, 'utf8')) as { skipped: object[] }).skipped
  const reasons = [/answers 404/, /403: set a token/, /a web page/, /at most 1000 bytes/, /at most 1000 bytes/]
  t.match(
    skipped,
    [...reasons, /longer than 2 seconds/, /redirected more than 5 times/].map((reason, n) => ({
      kind: 'file',
      where: new RegExp(`^ATT-1, ${names.filter(name => name !== 'busy')[n]}\\.txt$`),
      reason
    }))
  )
  t.notOk(
    jira.downloads().some(path => path.endsWith('said-large')),
    'what is said to be too large is not begun'
  )
  const { descriptionMarkdown } = await contextOf(server, 'ATT-1')
  t.match(descriptionMarkdown, `[gone.txt](${jira.origin}/a/gone)`)
  t.match(descriptionMarkdown, /\[busy\.txt\]\(\/v1\/files\/[^)]*\/busy\.txt\)/)

  isMended = true
  t.match(await run(['jira', jira.origin, '--files']), { err: /Added: 6 file\. Changed: 1 issue/ })
  t.match((await contextOf(server, 'ATT-1')).descriptionMarkdown, /\[gone\.txt\]\(\/v1\/files\//)
})

t.test('other hosts get no token, and may not be at private addresses', async t => {
  const other = await serve(t, (_, response) => {
    send(response, 'elsewhere')
  })
  const jira = await serve(t, (_, response, url) => {
    if (url.pathname.endsWith('/search')) {
      const attachments = [
        attachment('1', 'moved.txt', `${jira.origin}/a/moved`),
        attachment('2', 'other.txt', `${other.origin}/other`),
        attachment('3', 'local.txt', 'file:///etc/passwd'),
        attachment('4', 'user.txt', jira.origin.replace('//', '//a:b@'))
      ]
      json(response, { total: 1, issues: [jiraIssue('ATT-1', { attachment: attachments })] })
    } else response.writeHead(302, { location: `${other.origin}/moved` }).end()
  })
  const guarded = await start(t)
  const { code, err } = await guarded.run(['jira', jira.origin, '--files'], { JIRA_TOKEN: 's3cret' })
  t.equal(code, 2)
  t.match(err, /Skipped 2 files: [^\n]*'127\.0\.0\.1' is at a private address[^\n]*importers\.allowPrivateAddresses/)
  t.match(err, /Skipped 2 files: its content cannot be fetched: its address is none of the web/)
  t.strictSame(other.requests, [])

  const open = await start(t, { importers: { allowPrivateAddresses: true } })
  t.match(await open.run(['jira', jira.origin, '--files'], { JIRA_TOKEN: 's3cret' }), { err: /2 file\./ })
  t.strictSame(other.requests, [
    { path: '/moved', authorization: undefined },
    { path: '/other', authorization: undefined }
  ])
  t.equal(jira.requests.at(-1)?.authorization, 'Bearer s3cret')
})

t.test('GitHub: uploads in texts of issues and comments', async t => {
  const { server, run } = await start(t)
  const github = await serve(t, (_, response, url) => {
    const repository = `${github.origin}/repos/acme/app`
    const page = `${github.origin}/acme/app/issues/1`
    const user = { login: 'ann' }
    const asset = `${github.origin}/user-attachments/assets/0b7e`
    if (url.pathname.endsWith('/pulls')) return json(response, [])
    if (url.pathname.endsWith('/comments')) {
      const log = `[log.zip](${github.origin}/user-attachments/files/12/log.zip)`
      const body = `Again ![](${asset})\n\n${log} and \`${asset}\``
      return json(response, [{ id: 7, issue_url: `${repository}/issues/1`, html_url: page, body, user }])
    }
    if (url.pathname.endsWith('/issues')) {
      const image = `<img width="10" alt="A & B" src="${asset}?jwt=1&amp;x=2" />`
      const body = `${image}\n\n${github.origin}/acme/app/assets/9/clip`
      const issue = { number: 1, title: 'One', state: 'open', body, user, created_at: '2026-01-01T00:00:00Z' }
      return json(response, [{ ...issue, repository_url: repository, html_url: page }])
    }
    if (url.pathname.endsWith('/log.zip')) return send(response, 'PK\x03\x04 zip')
    if (url.pathname.endsWith('/clip')) return send(response, 'moving', { 'content-type': 'video/mp4; x=y' })
    return send(response, PIXEL, { 'content-type': 'image/png', 'content-disposition': 'inline; filename="Ünï.png"' })
  })
  const place = `${github.origin}/repos/acme/app`
  t.match(await run(['github', place, '--files'], { GITHUB_TOKEN: 't' }), { code: 0, err: /3 file,/ })
  const files = await filesOf(server, 'APP-1')
  t.match(files, [{ name: 'Ünï.png' }, { name: 'clip.mp4' }, { name: 'log.zip', createdBy: { fullname: 'ann' } }])
  const [image, clip, log] = files.map(({ url }) => url)
  const context = await contextOf(server, 'APP-1')
  t.equal(context.descriptionMarkdown, `![A & B](${image})\n\n[clip.mp4](${clip})`)
  const asset = `${github.origin}/user-attachments/assets/0b7e`
  t.equal(context.comments[0]!.bodyMarkdown, `Again ![](${image})\n\n[log.zip](${log}) and \`${asset}\``)
  t.equal(github.downloads().length, 3, 'an image that two texts name is downloaded once')

  t.match(await run(['github', place], { GITHUB_TOKEN: 't' }), { code: 0, err: /Added: nothing\. There already/ })
})

t.test('an export of Jira with attachments beside it', async t => {
  const { server, run } = await start(t)
  const away = (id: string, filename: string) => ({ id, filename, created: '2026-01-02T03:04:05.000Z' })
  const folder = folderOf({
    'board.json': [
      jiraIssue('ATT-1', {
        description: '!shot (1).png! [^data.json] !away.png!',
        attachment: [
          away('1', 'shot (1).png'),
          away('2', 'data.json'),
          away('3', 'away.png'),
          away('4', '../board.json')
        ]
      }),
      jiraIssue('ATT-10001', { attachment: [away('5', 'old.txt')] })
    ],
    'attachments/ATT-1/shot (1).png': PIXEL,
    'attachments/2/data.json': '[]',
    'data/attachments/ATT/20000/ATT-10001/5': 'in a backup'
  })
  t.match(await run(['jira', folder, '--dry-run']), { err: /Files to fetch: 3 of 1 KiB\./ })
  t.match(await run(['jira', folder]), { code: 0, err: /3 file\..* Skipped: 0/ })
  const [shot, data] = await filesOf(server, 'ATT-1')
  t.equal(
    (await contextOf(server, 'ATT-1')).descriptionMarkdown,
    `![shot (1).png](${shot!.url}) [data.json](${data!.url}) !away.png!\n\n` +
      '**Attachments**\n\n- away.png\n- ../board.json'
  )
  t.match(await filesOf(server, 'ATT-10001'), [{ name: 'old.txt', bytes: 11 }])
  t.match(await run(['jira', folder]), { code: 0, err: /Added: nothing\. There already/ })

  const none = await start(t)
  t.match(await none.run(['jira', folder, '--no-files']), { code: 0 })
  t.strictSame(await filesOf(none.server, 'ATT-1'), [])
})

t.test('Backlog.md and markdown: files of the folder that texts name, and nothing outside of it', async t => {
  const secret = folderOf({ 'secret.png': 'secret' })
  const task = (body: string) => `---\nid: TASK-1\ntitle: One\nstatus: To Do\nreporter: '@ann'\n---\n\n${body}\n`
  const names = [
    '../assets/shot%201.png',
    'assets/shot 1.png',
    '../link.png',
    '../linked/secret.png',
    '../tasks/task-1.md',
    '../.git/config'
  ]
  const outside = [`../../${secret}/secret.png`, '../../secret.png', '/etc/passwd', '%2e%2e/%2e%2e/%2e%2e/etc/passwd']
  const targets = [...names, ...outside]
  const backlog = folderOf({
    'config.yml': 'task_prefix: task\n',
    'tasks/task-1.md': task(targets.map(target => `![x](<${target}>)`).join('\n\n')),
    'assets/shot 1.png': PIXEL,
    '.git/config': 'hidden'
  })
  symlinkSync(join(secret, 'secret.png'), join(backlog, 'link.png'))
  symlinkSync(secret, join(backlog, 'linked'))
  const { server, run } = await start(t)
  t.match(await run(['backlog-md', backlog]), { code: 0, err: /1 file\./ })
  const files = await filesOf(server, 'TASK-1')
  t.match(files, [{ name: 'shot 1.png', createdBy: { fullname: 'ann' } }])
  const { url } = files[0]!
  const { descriptionMarkdown } = await contextOf(server, 'TASK-1')
  t.match(descriptionMarkdown, `![x](<${outside[0]}>)`)
  t.equal(descriptionMarkdown.split(url).length, 3, 'both images that name it')
  t.match(await run(['backlog-md', backlog]), { code: 0, err: /Added: nothing\. There already/ })
  writeFileSync(join(backlog, 'assets/shot 1.png'), Buffer.concat([PIXEL, PIXEL]))
  t.match(await run(['backlog-md', backlog]), { code: 0, err: /Added: 1 file\. Changed: 1 issue/ }, 'it was edited')

  const team = { kind: 'team', identifier: 'MD', name: 'M', states: [{ name: 'Open', category: 'UNSTARTED' }] }
  const board = folderOf({
    'board.jsonl': JSON.stringify(team),
    'MD/MD-1.md':
      '---\nkey: MD-1\ntitle: One\nstate: Open\n---\n\n![](a.png)\n\n' +
      '<!-- comment {"id":"c"} -->\n### Ann, 2026-01-02T03:04:05.000Z\n\n[log](../log.txt)\n',
    'MD/a.png': PIXEL,
    'log.txt': 'a log'
  })
  t.match(await run(['markdown', board]), { code: 0, err: /2 file/ })
  const [image, log] = await filesOf(server, 'MD-1')
  t.match(await contextOf(server, 'MD-1'), {
    descriptionMarkdown: `![](${image!.url})`,
    comments: [{ bodyMarkdown: `[log](${log!.url})` }]
  })
})

t.test('Linear: uploads stay links unless --files is named', async t => {
  const { server, run } = await start(t)
  const csv = 'ID,Team,Title,Description,Status\nLIN-1,LIN,One,![](https://uploads.linear.app/a/b?signature=1),Todo\n'
  const file = join(folderOf({ 'export.csv': csv }), 'export.csv')
  t.match(await run(['linear', file, '--dry-run', '--files']), { err: /Files to fetch: 1, whose sizes are not known/ })
  t.match(await run(['linear', file]), { code: 0, err: /Added: .*1 issue/ })
  t.strictSame(await filesOf(server, 'LIN-1'), [])
})

t.test('a workspace that is full takes what fits; files of issues that were deleted here are not fetched', async t => {
  const { server, run } = await start(t, { files: { maxBytesPerWorkspace: 25 } })
  const jira = await serve(t, (_, response, url) => {
    if (!url.pathname.endsWith('/search')) return send(response, '0123456789')
    const attachments = ['1', '2', '3'].map(id => attachment(id, `${id}.txt`, `${jira.origin}/a/${id}`))
    const issues = [jiraIssue('ATT-1', { attachment: attachments }), jiraIssue('ATT-2', {})]
    return json(response, { total: 2, issues })
  })
  t.match(await run(['jira', jira.origin, '--files']), { code: 2, err: /2 file\..*\n.*remove files first/ })
  t.equal((await filesOf(server, 'ATT-1')).length, 2)
  await server.ok('/v1/issues/ATT-1', { method: 'DELETE' })
  t.match(await run(['jira', jira.origin, '--files']), { code: 0, err: /Deleted here, and left so: 1 issue/ })
  t.equal(jira.downloads().length, 3)
})

t.test('options that contradict each other, or need what is off, are refused', async t => {
  const { run, server } = await start(t)
  const refused: Array<[string[], RegExp]> = [
    [['jira', '.', '--files', '--no-files'], /contradict each other/],
    [['jira', '--files', '.', 'DIR'], /one argument too many: 'DIR'/]
  ]
  for (const [args, err] of refused) t.match(await run(args), { code: 1, err })
  t.match(await runInProcess(server, ['import', 'a.jsonl', '--no-files']), { code: 1, err: /belong to --from/ })

  const off = await start(t, { files: { enabled: false } })
  t.match(await off.run(['jira', '.', '--files']), { code: 1, err: /--files needs the plugin 'files': turn it on/ })
})
