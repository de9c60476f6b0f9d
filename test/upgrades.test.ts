import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import pg from 'pg'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { insertToken } from '../core/auth/accounts.ts'
import { configure } from '../core/config/config.ts'
import { build } from '../core/kernel/server.ts'
import { installed } from '../plugins/index.ts'
import { isCaughtUp, onPostgres, TEST_DATABASE_URL } from './runner/harness.ts'
import { withConnection } from './runner/templates.ts'
import { AGENT, DESCRIPTION, FACT, NOTE, PROJECT } from './upgrades/board.ts'
import { temporaryFolder } from './runner/temporary-folder.ts'

const kind = onPostgres ? 'postgres' : 'embedded'

/** Restores a release's database. @returns the settings for it */
async function restore(t: Test, dump: string): Promise<{ databaseUrl: string } | { dataDir: string }> {
  if (onPostgres) {
    const name = `tracker_upgrade_${randomBytes(6).toString('hex')}`
    const databaseUrl = Object.assign(new URL(TEST_DATABASE_URL!), { pathname: name }).href
    const admin = new pg.Client(TEST_DATABASE_URL)
    await admin.connect()
    await admin.query(`create database ${name}`)
    t.teardown(async () => {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    })
    const client = new pg.Client(databaseUrl)
    await client.connect()
    await client.query(dump)
    await client.end()
    return { databaseUrl }
  }
  const dataDir = temporaryFolder(t)
  const pglite = await PGlite.create({ dataDir: join(dataDir, 'pgdata'), extensions: { vector, pg_trgm: trigrams } })
  await pglite.exec(dump)
  await pglite.close()
  return { dataDir }
}

/** The present code on it, with all plugins. */
async function upgrade(t: Test, database: Awaited<ReturnType<typeof restore>>) {
  const configuration = await configure(installed, {
    logLevel: 'silent',
    ...database,
    plugins: Object.fromEntries(
      Object.keys(installed).map(name => [name, { enabled: true, ...(name === 'embeddings' && { download: false }) }])
    )
  })
  const server = await build({ configuration, logger: pino({ level: 'silent' }) })
  await server.start()
  const { db } = server.database
  const admin = await db.selectFrom('account').selectAll().where('role', '=', 'ADMIN').executeTakeFirstOrThrow()
  const { token } = await db
    .transaction()
    .execute(trx => insertToken(trx, admin.workspaceId, { accountId: admin.id, name: 'Upgraded' }))
  // Before the teardown that removes the database.
  t.teardown(() => server.close())
  // Consumers may rebuild what the release had, such as an index.
  while (!(await isCaughtUp(server.events))) await sleep(20)
  return async function send<T>(url: string, payload?: object): Promise<T> {
    const answer = await server.app.inject({
      url,
      method: payload ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload })
    })
    if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
    return answer.json<T>()
  }
}

/** The parts of a release's tables that its code relies on. */
interface Catalogue {
  /** By `table.column`. */
  columns: Map<string, { type: string; isRequired: boolean }>
  /** Primary and foreign keys, unique indexes and checks: `table kind definition`. */
  rules: Set<string>
}

async function readCatalogue(databaseUrl: string): Promise<Catalogue> {
  return withConnection(databaseUrl, async client => {
    const { rows: columns } = await client.query<{ name: string; type: string; isRequired: boolean }>(`
      select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
        a.attnotnull and not a.atthasdef and a.attidentity = '' as "isRequired"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and a.attnum > 0 and not a.attisdropped`)
    const { rows: rules } = await client.query<{ rule: string }>(`
      select relname || ' constraint ' || pg_get_constraintdef(k.oid) as rule
      from pg_constraint k join pg_class c on c.oid = conrelid where relnamespace = 'public'::regnamespace
      union all
      select tablename || ' index ' || substring(indexdef from 'USING .*') from pg_indexes
      where schemaname = 'public' and indexdef like 'CREATE UNIQUE%'`)
    return {
      columns: new Map(columns.map(({ name, ...column }) => [name, column])),
      rules: new Set(rules.map(({ rule }) => rule))
    }
  })
}

/** Parts that were removed from the earlier tables, and additional requirements. */
function contractions(before: Catalogue, after: Catalogue): string[] {
  const tables = new Set([...before.columns.keys()].map(name => name.split('.')[0]!))
  const wasThere = (name: string) => tables.has(name.split(/[. ]/)[0]!)
  const columns = [...before.columns].flatMap(([name, { type, isRequired }]) => {
    const now = after.columns.get(name)
    if (now === undefined) return `${name} is gone`
    if (now.type !== type) return `${name} is ${now.type} instead of ${type}`
    return now.isRequired && !isRequired ? `${name} must be given` : []
  })
  const required = [...after.columns]
    .filter(([name, { isRequired }]) => isRequired && wasThere(name) && !before.columns.has(name))
    .map(([name]) => `${name} must be given`)
  const rules = [...before.rules.symmetricDifference(after.rules)].filter(wasThere)
  return [...columns, ...required, ...rules]
}

/**
 * Rules of tables that differ from a release's, each with the consequence for a server of that release. Others must
 * wait for a later release: expand first, then contract.
 */
const ALLOWED: ReadonlyArray<{ rule: RegExp; because: string }> = [
  {
    rule: /^agent_run (constraint CHECK \(\(status|index .*WHERE \(status)/,
    because: 'runs that wait for an answer are new; the release that knows none writes and reads its own as before'
  },
  {
    rule: /^agent_run_event constraint CHECK \(\(type = ANY/,
    because: 'kinds of output are new, and all former ones stay'
  },
  {
    rule: /^agent_run constraint (CHECK \(\(review|FOREIGN KEY \(workspace_id, reviewed_by_id\))/,
    because: 'the column is new and empty without a value'
  },
  {
    rule: /^(comment|project|label|knowledge_entry) constraint FOREIGN KEY \(workspace_id, deleted_by_id\)/,
    because: 'the column is new and empty without a value'
  },
  {
    rule: /^project constraint FOREIGN KEY \(workspace_id, lead_id\)/,
    because: 'the column is new and empty without a value'
  },
  {
    rule: /^issue constraint FOREIGN KEY \(workspace_id, milestone_id\)/,
    because: 'the column is new and empty without a value'
  },
  {
    rule: /^imported_record /,
    because: 'records of several sources are new; an import by the release before fails, and is begun again after it'
  },
  {
    rule: /^issue_relation index .*issue_id, related_issue_id, type/,
    because: 'the same columns are unique, in another order, which an insert that names them does not see'
  },
  {
    rule: /^(team|token) constraint CHECK \(\((closing_criteria|kind) /,
    because: 'the column is new and has a default'
  }
]

const dumps = globSync(`upgrades/*.${kind}.sql`, { cwd: import.meta.dirname })
t.ok(dumps.length > 0, 'there is a dump of a release')
for (const file of dumps) {
  const release = basename(file, `.${kind}.sql`)
  t.test(
    `a server of ${release} can go on beside one of today: its tables have only grown`,
    { skip: !onPostgres && 'on one database, several servers are on PostgreSQL' },
    async t => {
      const database = await restore(t, readFileSync(join(import.meta.dirname, file), 'utf8'))
      if (!('databaseUrl' in database)) throw new Error('this is no PostgreSQL database')
      const before = await readCatalogue(database.databaseUrl)
      await upgrade(t, database)
      const changes = contractions(before, await readCatalogue(database.databaseUrl))
      t.strictSame(
        changes.filter(change => !ALLOWED.some(({ rule }) => rule.test(change))),
        []
      )
    }
  )
  t.test(`what ${release} wrote is read and changed by today's code`, async t => {
    const send = await upgrade(t, await restore(t, readFileSync(join(import.meta.dirname, file), 'utf8')))

    t.match(await send('/v1/issues/ENG-2/context'), {
      key: 'ENG-2',
      title: 'The export loses dates',
      descriptionMarkdown: DESCRIPTION,
      definitionOfDone: { met: 1, total: 2 },
      state: { category: 'STARTED' },
      priority: 2,
      estimate: 3,
      dueDate: '2027-01-31',
      labels: [{ name: 'Bug' }],
      project: { name: PROJECT },
      assignee: { fullname: 'Administrator' },
      subIssues: [{ key: 'ENG-3', title: 'Read the exporter' }],
      relations: [{ type: 'BLOCKED', issue: { key: 'ENG-1', title: 'The header file is outdated' } }],
      linkedIssues: [{ url: 'https://example.org/export', title: 'The report' }],
      comments: [{ author: { fullname: 'Administrator' }, bodyMarkdown: NOTE }],
      history: [
        { change: 'assignee', to: 'Administrator' },
        { change: 'state', from: 'Todo', to: 'In Progress' }
      ]
    })
    t.match(await send('/v1/issues/ENG-4/context'), { state: { category: 'COMPLETED' } })
    t.match(await send('/v1/search?query=import+times'), [{ key: 'ENG-4', resolutionSnippet: /knows zones/ }])
    t.match(await send('/v1/knowledge?query=CSV+columns'), [{ content: FACT }])
    t.match(await send('/v1/users'), [{ fullname: 'Administrator' }, { fullname: AGENT }])

    for (const [key, name] of Object.entries({ label: 'Bug', assignee: 'Administrator', project: PROJECT })) {
      const { issues, total } = await send<{ issues: object[]; total: number }>('/v1/issues/filter', {
        filters: { [key]: { filterType: 'IS', value: [name] } },
        perPage: 50
      })
      t.ok(total > 0, `there are issues with the ${key} ${name}`)
      t.equal(total, issues.length)
    }

    await send('/v1/issues/ENG-2/criteria', { met: [2] })
    await send('/v1/issue_comments?issueId=ENG-2', { bodyMarkdown: 'Still here.' })
    t.match(await send('/v1/issues', { teamId: 'ENG', title: 'The next one' }), { key: 'ENG-5' })
    t.match(await send('/v1/issues/ENG-2/context'), {
      definitionOfDone: { met: 2, total: 2 },
      comments: [{ bodyMarkdown: NOTE }, { bodyMarkdown: 'Still here.' }]
    })
  })
}
