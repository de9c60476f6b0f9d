import t from 'tap'
import { onPostgres, testServer, type TestServer } from '../../../test/runner/harness.ts'
import { transferOf } from '../../../test/transfer.ts'
import { looksLike } from '../../naming/look-alikes.ts'

let server: TestServer
t.before(async () => {
  server = await testServer()
})
t.teardown(() => server.close())

let people = 0
const person = (at: TestServer, fullname: string, role = 'MEMBER') =>
  at.ok<{ id: string; fullname: string; token: string }>('/v1/users', {
    body: { fullname, email: `p${people++}@example.org`, role }
  })

t.test('a name that looks like another is refused with a name that is free, for people and agents', async t => {
  const board = await server.board()
  await board.agent('Scout')
  const { id, token } = await person(board, 'Zo\u00E9 Miller')
  const [other] = [await board.agent('Rover')]
  for (const name of [
    'Scout',
    'scout',
    'Sco\u200But',
    'Ѕсоut',
    'ＳＣＯＵＴ',
    'S c\u200Aout',
    'SCOUT',
    '@scout',
    'ЅСОUТ'
  ]) {
    for (const [path, field, who] of [
      ['/v1/users/agents', 'name', {}],
      [`/v1/users/agents/${other.id}`, 'name', {}],
      ['/v1/users', 'fullname', { email: 'new@example.org' }],
      [`/v1/users/${id}`, 'fullname', {}]
    ] as const) {
      const answer = await board.call(path, { body: { ...who, [field]: name } })
      t.match(answer.json(), { statusCode: 409, code: 'CONFLICT', field, message: /'Scout': choose a name.*\(2\)'\.$/ })
    }
    t.equal((await board.call(`/v1/users/${id}`, { token, body: { fullname: name } })).statusCode, 409)
  }
  t.match((await board.call('/v1/users/agents', { body: { name: 'ZOE\u0301 MILLER' } })).json(), { statusCode: 409 })
  t.match(await board.ok(`/v1/users/${id}`, { token, body: { fullname: 'zo\u00E9 miller' } }), {
    fullname: 'zo\u00E9 miller'
  })
  t.match(await board.ok('/v1/users/agents', { body: { name: 'Scout (2)' } }), { fullname: 'Scout (2)' })
  t.match((await board.call('/v1/users/agents', { body: { name: 'admin@localhost' } })).json(), { statusCode: 409 })
})

t.test('a name is free again when its account is removed, and in other workspaces', async () => {
  const [board, other] = [await server.board(), await server.board()]
  const { id } = await board.agent('Scout')
  await other.agent('Scout')
  await board.ok(`/v1/users/agents/${id}`, { method: 'DELETE' })
  await board.agent('scout')
})

t.test('words that mean something else are names of nobody', async t => {
  const board = await server.board()
  const { id, token } = await person(board, 'Ann')
  for (const word of [
    'me',
    'Me',
    '@me',
    'ＭＥ',
    'none',
    'null',
    'Unassigned',
    'nobody',
    'All',
    'any',
    'everyone',
    'system'
  ]) {
    const answer = await board.call('/v1/users/agents', { body: { name: word } })
    t.match(answer.json(), { statusCode: 400, field: 'name', message: /is a reserved word/ }, word)
    const own = await board.call(`/v1/users/${id}`, { token, body: { fullname: word } })
    t.match(own.json(), { statusCode: 400, field: 'fullname' }, word)
  }
  t.equal((await board.call('/v1/users/agents', { body: { name: id } })).statusCode, 400)
  await board.agent('Ali')
})

t.test('only administrators are called Administrator', async t => {
  const board = await server.board()
  const admin = await board.ok<{ id: string }>('/v1/users/me')
  const { id, token } = await person(board, 'Ann')
  for (const fullname of ['Administrator', 'Admin\u200Bistrator', 'Аdministrator', 'ADMlNISTRATOR', 'admin']) {
    const answer = await board.call(`/v1/users/${id}`, { token, body: { fullname } })
    t.match(answer.json(), { statusCode: 400, field: 'fullname', message: /Only an administrator/ }, fullname)
  }
  t.equal((await board.call(`/v1/users/${id}`, { token, body: { fullname: '\u202ErotartsinimdA' } })).statusCode, 400)
  await board.ok(`/v1/users/${admin.id}`, { body: { fullname: 'Ann the first' } })
  await board.ok(`/v1/users/${admin.id}`, { body: { fullname: 'Administrator' } })
})

t.test('names that were alike before stay, and their accounts can be changed', async t => {
  const board = await server.board()
  const [first, second] = [await person(board, 'Ann'), await person(board, 'Ben')]
  await server.database.db.updateTable('account').set({ fullname: ' ann\u200B' }).where('id', '=', second.id).execute()
  await board.ok(`/v1/users/${first.id}`, { body: { fullname: 'Ann', email: 'ann@example.org' } })
  t.equal((await board.call(`/v1/users/${first.id}`, { body: { fullname: 'ANN' } })).statusCode, 409)
  t.match(await board.ok(`/v1/users/${second.id}`, { body: { fullname: 'Ben' } }), { fullname: 'Ben' })
})

t.test('accounts of an import that look alike stay apart, and the report says how they are called', async t => {
  const board = await server.board()
  await board.agent('Scout')
  const { readAs } = await transferOf(board)
  const account = (externalId: string, fullname: string) => ({
    ...{ kind: 'account', externalId, fullname, type: 'PERSON', role: 'MEMBER' }
  })
  const records = [account('1', 'Ann'), account('2', ' ANN '), account('3', 'Scout'), account('4', 'me')]
  const report = await readAs('jira', records)
  t.match(report, { added: { account: 4 }, skipped: [] })
  t.same(
    report.shortened.map(({ reason }) => reason.replace(/^.*: /, '')),
    ["it is 'ANN (2)'", "it is 'Scout (2)'", "it is 'me (2)'"]
  )
  t.match(await readAs('jira', records), { there: 4, shortened: [] })
  const users = await board.ok<Array<{ fullname: string }>>('/v1/users')
  t.same(users.map(({ fullname }) => fullname).sort(), [
    'ANN (2)',
    'Administrator',
    'Ann',
    'Scout',
    'Scout (2)',
    'me (2)'
  ])
})

t.test('names that only resemble each other are different', async t => {
  for (const [name, other] of [
    ['Ian', 'Lan'],
    ['Agent I', 'Agent L'],
    ['Agent 1', 'Agent 2'],
    ['José', 'Jose'],
    ['Мария', 'Maria'],
    ['Ali', 'All']
  ] as const) {
    t.notOk(looksLike(name, other), `${name} ${other}`)
  }
})

t.test('two that take the same name at once: one is refused', async t => {
  const replica = onPostgres ? await testServer({ on: server }) : server
  if (onPostgres) t.teardown(() => replica.close())
  for (let round = 0; round < 10; round++) {
    const names = [`Twin ${round}`, `twin  ${round}`, `Тwin ${round}`, `TWIN ${round}`]
    const answers = await Promise.all(
      names.map((name, n) => (n % 2 === 0 ? server : replica).call('/v1/users/agents', { body: { name } }))
    )
    t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409, 409])
  }
})
