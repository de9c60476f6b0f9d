/*
 * Writes the files generated from the code: config/schema.json, core/telemetry/packages.ts, plugins/mcp/tools.json, the
 * kinds of records in docs/import-format.md, the types of events in docs/events.md, the table of settings in
 * docs/configuration.md, the picture in docs/architecture.md, the table of plugins in plugins/README.md, and the SQL of
 * hot statements to `*.sql.snap` beside their modules. `--check` writes nothing, names what is stale and exits 1.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'sql-formatter'
import { Type, type TObject, type TSchema } from 'typebox'
import { fromSetting, settingsSchema } from '../core/config/config.ts'
import { coreSettings } from '../core/config/core-settings.ts'
import { coreVariables, variableOf } from '../core/config/environment.ts'
import { isReloaded, isSecret } from '../core/config/listing.ts'
import type { Contribution } from '../core/api/contract.ts'
import { allStatements, type StatementText } from '../core/db/statements/statement.ts'
import type { EventType } from '../core/events/contract.ts'
import type { Plugin } from '../core/api/plugin.ts'
import { eventTypes } from '../core/api/points.ts'
import { installed } from '../plugins/index.ts'
import { listed, toolsOf } from '../plugins/mcp/toolbox.ts'
import { accountRecords } from '../plugins/transfer/import/accounts.ts'
import { contributedKinds } from '../plugins/transfer/issue-records.ts'
import { coreScopes } from '../core/api/scopes.ts'
import { buildWithAllPlugins } from './all-plugins.ts'
import { importFormat } from './import-format.ts'
import { extensionPoints } from './extension-points.ts'
import { roomsPicture } from './rooms.ts'
import { telemetryPackages } from './telemetry-packages.ts'

type Property = TSchema & { default?: unknown; description?: string; type?: string; properties?: object }

const root = new URL('..', import.meta.url)
const read = (path: string): string => {
  try {
    return readFileSync(new URL(path, root), 'utf8')
  } catch {
    return ''
  }
}
const { plugins: defaults } = JSON.parse(read('config/default.json')) as {
  plugins: Record<string, { enabled: boolean }>
}
const enabledByDefault = new Set(Object.keys(defaults).filter(name => defaults[name]?.enabled))
const plugins = await Promise.all(Object.values(installed).map(async load => (await load()).default))

function schemaFile(): string {
  const { properties, ...rest } = settingsSchema(plugins)
  // A file need not be complete: omitted settings have a default or another source.
  const pluginsPart = properties['plugins'] as TObject
  const optional = (object: TObject) =>
    Type.Object(
      Object.fromEntries(Object.entries(object.properties).map(([key, schema]) => [key, Type.Optional(schema)])),
      { additionalProperties: false }
    )
  const ofPackage = Type.Object({ enabled: Type.Boolean(), from: fromSetting })
  const file = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of tracker',
    ...rest,
    required: undefined,
    properties: {
      $schema: { type: 'string' },
      ...properties,
      plugins: {
        ...optional(
          Type.Object(
            Object.fromEntries(
              Object.entries(pluginsPart.properties).map(([name, schema]) => [name, optional(schema as TObject)])
            )
          )
        ),
        additionalProperties: ofPackage
      }
    }
  }
  return JSON.stringify(file, null, 2) + '\n'
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')
const marks = (schema: TSchema) =>
  [...(isReloaded(schema) ? ['SIGHUP'] : []), ...(isSecret(schema) ? ['secret'] : [])].join(', ')
const defaultMarkdown = ({ default: value }: Property) => (value === undefined ? '' : `\`${JSON.stringify(value)}\``)

function settingsTable(): string {
  const row = (path: string[], variables: string[], schema: Property) => [
    `\`${path.join('.')}\``,
    variables.map(v => `\`${v}\``).join(', '),
    defaultMarkdown(schema),
    marks(schema),
    schema.description ?? ''
  ]
  const rows = Object.entries(coreSettings.properties).map(([key, schema]) =>
    row([key], [coreVariables[key] ?? variableOf([key])], schema as Property)
  )
  for (const { name, dependencies, spec } of plugins) {
    rows.push(
      row(['plugins', name, 'enabled'], [variableOf(['plugins', name, 'enabled'])], {
        type: 'boolean',
        default: enabledByDefault.has(name),
        description: spec.summary
      } as Property)
    )
    for (const [key, schema] of Object.entries(dependencies.settings.properties)) {
      const named = Object.entries(spec.env ?? {}).find(([, to]) => to === key)?.[0]
      rows.push(row(['plugins', name, key], [named ?? variableOf(['plugins', name, key])], schema as Property))
    }
  }
  rows.push(row(['plugins', '<name>', 'from'], ['TRACKER_PLUGINS__<NAME>__FROM'], fromSetting as Property))
  return table(['Setting', 'Variable', 'Default', 'Marks', 'What it does'], rows)
}

function pluginsTable(): string {
  const names = (list: Plugin['dependencies']['requires']) => list.map(c => `\`${c.name}\``).join(', ')
  return table(
    ['Plugin', 'What it does', 'Requires', 'Uses when on'],
    plugins.map(({ name, spec, dependencies: { requires, optional } }) => [
      `\`${name}\``,
      spec.summary,
      names(requires),
      names(optional)
    ])
  )
}

function pluginsPage(page: string): string {
  const { server, browser } = extensionPoints(fileURLToPath(root))
  const pointsTable = (points: typeof server) =>
    table(
      ['Point', 'Owner', 'Contributions'],
      points.map(({ name, owner, file, summary }) => [`[\`${name}\`](../${file})`, `\`${owner}\``, summary])
    )
  const withPlugins = between(page, 'plugins', pluginsTable())
  const withPoints = between(withPlugins, 'points', pointsTable(server))
  return between(withPoints, 'browser points', pointsTable(browser))
}

/** The plugins' contributions: the tools as agents see them, the kinds of records to import, the types of events. */
async function contributed(): Promise<{ tools: string; kinds: string; events: string }> {
  const server = await buildWithAllPlugins()
  const tools = toolsOf(server.contributions).map(listed)
  const kinds = contributedKinds(server)
  const events = server.contributions(eventTypes)
  await server.close()
  return {
    tools: JSON.stringify(tools, null, 2) + '\n',
    kinds: importFormat([accountRecords(coreScopes, async () => {}), ...kinds]),
    events: eventsTable(events)
  }
}

const eventsTable = (types: ReadonlyArray<Contribution<EventType>>): string =>
  table(
    ['Type', 'Plugin', 'Audience', '`data`', 'Event'],
    types.map(({ from, item: { name, audience, data, summary } }) => [
      `\`${name}\``,
      `\`${from}\``,
      audience,
      Object.keys(data.properties)
        .map(field => `\`${field}\``)
        .join(', '),
      summary
    ])
  )

/** The snapshots of the statements of the server in `contributed`, by path. */
function statementSnapshots(): Record<string, string> {
  const snapshot = ([name, text]: [string, () => StatementText]): string => {
    const { sql, parameters } = text()
    const listed = parameters.map((parameter, n) => `$${n + 1} ${parameter}`).join(', ')
    return `-- ${name}: ${listed}\n${format(sql, { language: 'postgresql', expressionWidth: 100 })}\n`
  }
  return Object.fromEntries(
    [...allStatements()].map(([url, ofModule]) => [
      url.slice(root.href.length).replace(/\.ts$/, '.sql.snap'),
      [...ofModule].map(snapshot).join('\n')
    ])
  )
}

/** `text` with the part between the two markers of `name` replaced. */
function between(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- /generated: ${name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The markers of '${name}' are missing: ${begin} … ${end}`)
  return text.slice(0, from + begin.length) + '\n' + content + '\n' + text.slice(to)
}

const { tools, kinds, events } = await contributed()
const files: Record<string, string> = {
  'config/schema.json': schemaFile(),
  'core/telemetry/packages.ts': telemetryPackages(read('package-lock.json')),
  'plugins/mcp/tools.json': tools,
  'docs/import-format.md': between(read('docs/import-format.md'), 'kinds', kinds),
  'docs/configuration.md': between(read('docs/configuration.md'), 'settings', settingsTable()),
  'docs/architecture.md': between(
    read('docs/architecture.md'),
    'rooms',
    roomsPicture(
      fileURLToPath(root),
      plugins.map(({ name }) => name)
    )
  ),
  'docs/events.md': between(read('docs/events.md'), 'events', events),
  'plugins/README.md': pluginsPage(read('plugins/README.md')),
  ...statementSnapshots()
}
const removed = globSync('{core,lib,plugins}/**/*.sql.snap', { cwd: root }).filter(path => !(path in files))
const stale = Object.keys(files)
  .filter(path => read(path) !== files[path])
  .concat(removed)
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    process.stderr.write(`Stale: ${stale.join(', ')}. Run: npm run generate\n`)
    process.exitCode = 1
  }
} else {
  for (const path of stale) {
    const text = files[path]
    if (text === undefined) rmSync(new URL(path, root))
    else writeFileSync(new URL(path, root), text)
  }
  process.stdout.write(stale.length > 0 ? `Wrote ${stale.join(', ')}\n` : 'Nothing has changed.\n')
}
