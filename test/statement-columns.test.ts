import t from 'tap'
import { allStatements } from '../core/db/statements/statement.ts'
import { onPostgres, testServer } from './runner/harness.ts'
import { withConnection } from './runner/templates.ts'

t.test(
  'the columns that a statement declares which reads are those of its rows, in their order',
  { skip: !onPostgres && 'needs a PostgreSQL server' },
  async t => {
    const server = await testServer()
    t.teardown(() => server.close())
    const declared = [...allStatements().values()].flatMap(ofModule =>
      [...ofModule].filter(([, text]) => text().columns && /^\s*(select|with)\s/.test(text().sql))
    )
    t.ok(declared.length > 10)
    await withConnection(server.databaseUrl!, async client => {
      for (const [name, text] of declared) {
        const { sql, parameters, columns } = text()
        const { fields } = await client.query(
          `select * from (${sql}) as read where false`,
          parameters.map(() => null)
        )
        const types = await client.query<{ type: string }>('select format_type(unnest($1::oid[]), null) as type', [
          fields.map(field => field.dataTypeID)
        ])
        t.strictSame(
          fields.map((field, n) => [camelCase(field.name), types.rows[n]?.type]),
          Object.entries(columns!).map(([column, type]) => [column, FULL_NAMES[type] ?? type]),
          name
        )
      }
    })
  }
)

t.test('a statement that is sent as a short read neither writes nor locks', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const all = [...allStatements().values()].flatMap(ofModule => [...ofModule])
  const isWrite = (sql: string) =>
    /\b(insert into|update|delete from|for (no key )?update|for (key )?share)\b/i.test(sql)
  const writes = all.filter(([, text]) => isWrite(text().sql))
  t.ok(writes.length > 3)
  t.strictSame(
    writes.filter(([, text]) => text().isRead).map(([name]) => name),
    []
  )
})

/** Types whose names in PostgreSQL's catalogue differ from those in statements. */
const FULL_NAMES: Readonly<Record<string, string>> = { timestamptz: 'timestamp with time zone' }
const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
