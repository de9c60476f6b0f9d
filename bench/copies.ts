import { sql, type Kysely, type RawBuilder } from 'kysely'

/** The id of a copy, derived from the issue's. */
const idOfCopy = (copy: number) => sql`md5(id::text || ${copy})::uuid`

/**
 * Enlarges a board and its search index: copies of each issue, without comments, with numbers beyond a million, an hour
 * younger each. The words stay equally frequent. Raw, because it copies rows of any columns.
 */
export async function copyIssues<DB>(db: Kysely<DB>, copies: number): Promise<void> {
  const issues = await copier(db, 'issue', copy => ({
    id: idOfCopy(copy),
    number: sql`number + ${copy} * 1000000`,
    created_at: sql`created_at + ${copy} * interval '1 hour'`,
    updated_at: sql`updated_at + ${copy} * interval '1 hour'`
  }))
  const documents = await copier(db, 'search_document', copy => ({ id: idOfCopy(copy) }))
  for (let copy = 1; copy <= copies; copy++) {
    await issues(copy, sql`number < 1000000`)
    await documents(copy, sql`id in (select id from issue where number < 1000000)`)
    process.stderr.write(`\r${copy} of ${copies} copies `)
  }
  const times = sql.lit(copies + 1)
  await sql`update search_term set df = df * ${times} where pool = 'issues'`.execute(db)
  await sql`update search_pool set documents = documents * ${times} where pool = 'issues'`.execute(db)
  await sql`update search_timeline set issues = issues * ${times}`.execute(db)
  for (const table of ['issue', 'search_document', 'search_term']) {
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  }
}

/** Copies the rows of a table, with other values in some columns. */
async function copier<DB>(
  db: Kysely<DB>,
  table: string,
  changed: (copy: number) => Record<string, RawBuilder<unknown>>
) {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(db)
  const names = rows.map(({ name }) => name)
  return async (copy: number, which: RawBuilder<unknown>) => {
    const ofCopy = changed(copy)
    const values = names.map(name => ofCopy[name] ?? sql.ref(name))
    await sql`
      insert into ${sql.table(table)} (${sql.join(names.map(name => sql.ref(name)))})
      select ${sql.join(values)} from ${sql.table(table)} where ${which}`.execute(db)
  }
}
