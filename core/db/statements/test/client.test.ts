import t from 'tap'
import { sql } from 'kysely'
import { onPostgres, testServer } from '../../../../test/runner/harness.ts'

t.test(
  'a statement with parameters is prepared from its second run on, one without never',
  { skip: !onPostgres && 'needs a PostgreSQL server' },
  async t => {
    const server = await testServer({ plugins: ['workspace'], settings: { jobs: false } })
    t.teardown(() => server.close())
    await server.database.db.connection().execute(async db => {
      const prepared = async () => {
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from pg_prepared_statements
          where statement like '%as mark_%' and statement not like '%pg_prepared%'`.execute(db)
        return rows[0]!.n
      }
      const counts: number[] = []
      for (let run = 1; run <= 3; run++) {
        t.strictSame((await sql`select ${run}::int as mark_with`.execute(db)).rows, [{ markWith: run }])
        t.strictSame((await sql`select 7 as mark_without`.execute(db)).rows, [{ markWithout: 7 }])
        counts.push(await prepared())
      }
      t.strictSame(counts, [0, 1, 1])
    })
  }
)

t.test(
  'texts without end are answered, and only so many of them are held',
  { skip: !onPostgres && 'needs a PostgreSQL server' },
  async t => {
    const server = await testServer({ plugins: ['workspace'], settings: { jobs: false } })
    t.teardown(() => server.close())
    await server.database.db.connection().execute(async db => {
      for (let n = 1; n <= 600; n++) {
        for (let run = 1; run <= 2; run++) await sql`select ${run}::int as ${sql.ref(`mark_${n}`)}`.execute(db)
      }
      const {
        rows: [held]
      } = await sql<{ n: number }>`select count(*) as n from pg_prepared_statements`.execute(db)
      t.ok(held!.n > 400 && held!.n <= 500, `${held!.n} are held`)
    })
  }
)
