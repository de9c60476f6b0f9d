/* `npm run new-plugin NAME`: makes a small plugin that works, installs it and turns it on. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = process.cwd()
const [name = ''] = process.argv.slice(2)
const folder = join(root, 'plugins', name)

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
if (!/^[a-z][a-z]{1,29}$/.test(name)) {
  fail(`'${name}' cannot be the name of a plugin: two to thirty lower-case letters, e.g. npm run new-plugin notes`)
}
if (existsSync(folder)) fail(`There is a plugin '${name}' already: plugins/${name}.`)

const Name = name[0]!.toUpperCase() + name.slice(1)
const table = `${name}_entry`
const files: Record<string, string> = {
  'contract.ts': `import type { Id, Timestamp } from '../../core/db/tables.ts'
import { contract } from '../../core/plugin.ts'

export interface ${Name}Tables {
  ${name}Entry: { workspaceId: Id, id: Id, text: string, createdById: Id, createdAt: Timestamp }
}
export const ${name} = contract<object, ${Name}Tables>()('${name}')
`,
  'schemas.ts': `import { Type } from 'typebox'
import { Closed, IdText, Line, Time } from '../../core/schemas.ts'

export const Entry = Closed({ id: IdText, text: Type.String(), createdAt: Time })
export const NewEntry = Closed({ text: Line(500) })
`,
  'queries.ts': `import type { Kysely } from 'kysely'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import { newId } from '../../core/id.ts'
import type { ${Name}Tables } from './contract.ts'

type Db = Kysely<CoreTables & ${Name}Tables>
const columns = ['id', 'text', 'createdAt'] as const

export const listEntries = (db: Db, workspaceId: Id) =>
  db.selectFrom('${name}Entry').select(columns).where('workspaceId', '=', workspaceId).orderBy('createdAt').orderBy('id').execute()

export const insertEntry = (db: Db, workspaceId: Id, createdById: Id, text: string) =>
  db.insertInto('${name}Entry').values({ workspaceId, id: newId(), createdById, text }).returning(columns).executeTakeFirstOrThrow()
`,
  'routes.ts': `import { Type } from 'typebox'
import type { App } from '../../core/plugin.ts'
import { answers } from '../../core/schemas.ts'
import type { Ctx } from './index.ts'
import { insertEntry, listEntries } from './queries.ts'
import { Entry, NewEntry } from './schemas.ts'

export function ${name}Routes (app: App, { db }: Ctx): void {
  const tags = ['${name}']

  app.get('/v1/${name}', { schema: { tags, summary: 'Entries, oldest first', response: answers(200, Type.Array(Entry)) } }, async ({ principal }) =>
    (await listEntries(db, principal.workspaceId)).map(shown))

  app.post('/v1/${name}', { schema: { tags, summary: 'Add an entry', body: NewEntry, response: answers(201, Entry) } }, async ({ principal, body }, reply) =>
    reply.code(201).send(shown(await insertEntry(db, principal.workspaceId, principal.accountId, body.text))))
}

const shown = <E extends { createdAt: Date }>(entry: E) => ({ ...entry, createdAt: entry.createdAt.toISOString() })
`,
  [`migrations/001_${name}.ts`]: `import { sql, type Kysely } from 'kysely'

export async function up (db: Kysely<unknown>): Promise<void> {
  await sql\`
    create table ${table} (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      text text not null,
      created_by_id uuid not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, created_by_id) references account (workspace_id, id)
    );
  \`.execute(db)
}
`,
  'index.ts': `import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { ${name} } from './contract.ts'
import { ${name}Routes } from './routes.ts'

export type Ctx = ContextOf<typeof ${name}>

export default definePlugin({
  contract: ${name},
  summary: '${Name}: say here, in a sentence, what it does',
  migrations: async () => ({ '001_${name}': await import('./migrations/001_${name}.ts') }),
  register: () => ({}),
  routes: ${name}Routes
})
`,
  [`test/${name}.test.ts`]: `import t from 'tap'
import { testServer } from '../../../test/harness.ts'

t.test('what is added is listed, and only in its workspace', async t => {
  const server = await testServer({ plugins: ['workspace', '${name}'] })
  t.teardown(() => server.close())
  const entry = await server.ok('/v1/${name}', { body: { text: 'Hello' } })
  t.match(entry, { text: 'Hello' })
  t.strictSame(await server.ok('/v1/${name}'), [entry])
  t.equal((await server.call('/v1/${name}', { body: { text: '' } })).statusCode, 400)
  const other = await server.otherWorkspace()
  t.strictSame(await server.ok('/v1/${name}', { token: other.token }), [])
})
`
}

for (const [path, text] of Object.entries(files)) {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const indexPath = join(root, 'plugins/index.ts')
writeFileSync(
  indexPath,
  readFileSync(indexPath, 'utf8').replace(/\n}\s*$/, `,\n  ${name}: () => import('./${name}/index.ts')\n}\n`)
)
const configPath = join(root, 'config/default.json')
const config = readFileSync(configPath, 'utf8')
writeFileSync(
  configPath,
  config.replace(/("plugins": \{[\s\S]*?)\n {2}\}/, `$1,\n    "${name}": { "enabled": true }\n  }`)
)

process.stdout.write(`Made plugins/${name}, and turned it on. Now:

  npm run generate
  npx tap --disable-coverage plugins/${name}/test/${name}.test.ts
  npm start        # and: GET /v1/${name}
`)
