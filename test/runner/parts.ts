import { globSync, readFileSync } from 'node:fs'

/** The parts of the suite (`test/README.md`); `TEST_PART=postgres npm test` runs one of them instead of `daily`. */
export const PARTS = ['daily', 'postgres', 'nightly', 'browser', 'citus'] as const
export type Part = (typeof PARTS)[number]

/** Its tests run where the package is installed: `test/plugin-package.nightly.test.ts`. */
const PACKAGE = 'examples/plugin-package'
const root = new URL('../..', import.meta.url)
/** They watch the memory or the event loop of their process, and have one for themselves (`.taprc`). */
const ALONE = '**/*.alone.test.ts'

/** On every kind of database: what plugins promise over HTTP and MCP, and what has statements of its own kind. */
const EACH_DATABASE = [
  'core/db/citus/test/workers.test.ts',
  'core/db/statements/test/short-reads.test.ts',
  'core/events/test/consumers.test.ts',
  'plugins/events/test/streams.test.ts',
  'core/http/idempotency/test/idempotency.test.ts',
  'plugins/agents/test/agents.test.ts',
  'plugins/comments/test/comments.test.ts',
  'plugins/comments/test/questions.test.ts',
  'plugins/delegation/test/delegation.test.ts',
  'plugins/demo/test/demo.test.ts',
  'plugins/embeddings/test/embeddings.test.ts',
  'plugins/files/test/files.test.ts',
  'plugins/files/test/pictures.test.ts',
  'plugins/files/test/transfer.test.ts',
  'plugins/files/test/trash.test.ts',
  'plugins/git/test/git.test.ts',
  'plugins/hooks/test/hooks.test.ts',
  'plugins/importers/test/attachments.test.ts',
  'plugins/importers/test/import.test.ts',
  'plugins/importers/test/sources.test.ts',
  'plugins/inbox/test/inbox.test.ts',
  'plugins/insights/test/insights.test.ts',
  'plugins/issues/test/acceptance-criteria.test.ts',
  'plugins/templates/test/templates.test.ts',
  'plugins/claims/test/claims.test.ts',
  'plugins/claims/test/off.test.ts',
  'plugins/issues/test/context-limits.test.ts',
  'plugins/issues/test/filter.test.ts',
  'plugins/issues/test/filter-words.test.ts',
  'plugins/issues/test/issues.test.ts',
  'plugins/issues/test/races.test.ts',
  'plugins/issues/test/states.test.ts',
  'plugins/knowledge/test/duplicates.test.ts',
  'plugins/knowledge/test/knowledge.test.ts',
  'plugins/knowledge/test/tools.test.ts',
  'plugins/mcp/test/every-tool.test.ts',
  'plugins/mcp/test/tools.test.ts',
  'plugins/oauth/test/oauth.test.ts',
  'plugins/oidc/test/oidc.test.ts',
  'plugins/passwords/test/passwords.test.ts',
  'plugins/projects/test/cycles.test.ts',
  'plugins/projects/test/planning.test.ts',
  'plugins/projects/test/projects.test.ts',
  'plugins/projects/test/transfer.test.ts',
  'plugins/proof/test/off.test.ts',
  'plugins/proof/test/proof.test.ts',
  'plugins/reactions/test/reactions.test.ts',
  'plugins/revisions/test/revisions.test.ts',
  'plugins/search/test/at-creation.test.ts',
  'plugins/search/test/hostile.test.ts',
  'plugins/search/test/index.test.ts',
  'plugins/search/test/meaning.test.ts',
  'plugins/search/test/search.test.ts',
  'plugins/transfer/test/transfer.test.ts',
  'plugins/trash/test/other-kinds.test.ts',
  'plugins/trash/test/races.test.ts',
  'plugins/trash/test/trash.test.ts',
  'plugins/usage/test/usage.test.ts',
  'plugins/views/test/views.test.ts',
  'plugins/webhooks/test/webhooks.test.ts',
  'plugins/workspace/test/workspaces.test.ts',
  'test/catalogue.test.ts',
  'test/events.test.ts',
  'test/fuzz.test.ts',
  'test/retention.test.ts',
  'test/run-tokens.test.ts',
  'test/shards.test.ts',
  'test/swarm.test.ts'
]

/** @throws Error unless there is such a part */
export function partNamed(name: string): Part {
  const part = PARTS.find(known => known === name)
  if (part === undefined) throw new Error(`There is no part “${name}” of the suite: take ${PARTS.join(', ')}.`)
  return part
}

/** @returns the test files of a part, as paths from the project's folder */
export function filesOf(part: Part): string[] {
  const all = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules', '.tap', PACKAGE, ALONE] }).sort()
  for (const file of EACH_DATABASE) {
    if (!all.includes(file)) throw new Error(`${file} does not exist: change EACH_DATABASE in test/runner/parts.ts.`)
  }
  return all.filter(file => belongsTo(part, file))
}

function belongsTo(part: Part, file: string): boolean {
  const isNightly = file.endsWith('.nightly.test.ts')
  switch (part) {
    case 'daily':
      return !isNightly
    case 'postgres':
      return !isNightly && (EACH_DATABASE.includes(file) || dependsOnDatabase(file))
    case 'nightly':
      return isNightly
    case 'browser':
      return !isNightly && textOf(file).includes('runner/chromium.ts')
    case 'citus':
      return EACH_DATABASE.includes(file) || file.includes('citus')
  }
}

/** True if a test file asks on which database it runs, or starts processes on it. */
const dependsOnDatabase = (file: string): boolean =>
  /\b(onPostgres|runsOnCitus|TEST_DATABASE_URL|ownPostgres)\b/.test(textOf(file))

const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8')

// node test/runner/parts.ts PART lists its files.
if (import.meta.main) console.log(filesOf(partNamed(process.argv[2] ?? 'daily')).join('\n'))
