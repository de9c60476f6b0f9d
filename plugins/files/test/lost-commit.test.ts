import t from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { losingProxy } from '../../../test/runner/losing-proxy.ts'
import { raw } from './upload.ts'

t.test(
  'a file whose commit succeeded, although its answer was lost, keeps its bytes',
  { skip: !onPostgres && 'the embedded database is in the process' },
  async t => {
    const plugins = ['workspace', 'agents', 'issues', 'files']
    const settings = { jobs: false, plugins: { files: { folder: t.testdir() } } }
    const direct = await testServer({ plugins, settings })
    t.teardown(() => direct.close())
    const { url, arm, cuts } = await losingProxy(t, direct.databaseUrl!)
    const server = await testServer({ plugins, settings, on: { ...direct, databaseUrl: url } })
    t.teardown(() => server.close())

    arm(/update "?file"? set/)
    const answer = await server.call('/v1/files', raw('kept'))
    t.equal(cuts(), 1)
    t.equal(answer.statusCode, 503, answer.body)
    const rows = await direct.database.db
      .withTables<{ file: { id: string; state: string } }>()
      .selectFrom('file')
      .select(['id', 'state'])
      .execute()
    t.equal(rows.length, 1)
    const [{ id } = { id: '' }] = rows
    const read = await direct.call(`/v1/files/${id}/a.txt`)
    t.equal(read.statusCode, 200, read.body)
    t.equal(read.body, 'kept')
  }
)
