import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import MarkdownIt from 'markdown-it'
import t from 'tap'
import type { TSchema } from 'typebox'
import { commands, type Command } from '../core/api/points.ts'
import { configCommands } from '../core/cli/config-commands.ts'
import { settingsSchema } from '../core/config/config.ts'
import { coreVariables } from '../core/config/environment.ts'
import { installed } from '../plugins/index.ts'
import { buildWithAllPlugins } from '../scripts/all-plugins.ts'
import { project, readContents, readText } from '../scripts/docs/contents.ts'

/* Commands and settings in the documentation must exist. */

const plugins = await Promise.all(Object.values(installed).map(async load => (await load()).default))
const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> }
/** All but history, which names what there was. */
const pages = [...readContents().pages.keys()].filter(page => page !== 'CHANGELOG.md')

/** The code of a page: blocks, whose lines end with `\` where they go on, and what stands between backticks. */
function codeOf(text: string): string[] {
  const tokens = new MarkdownIt().parse(text, {}).flatMap(token => [token, ...(token.children ?? [])])
  return tokens
    .filter(({ type }) => ['fence', 'code_block', 'code_inline'].includes(type))
    .flatMap(({ content }) => content.replaceAll(/\\\n\s*/g, ' ').split('\n'))
}

/** The commands of a line of code, without comments and what they are piped to. */
const commandsIn = (line: string): string[] =>
  line
    .replaceAll(/['"]/g, '')
    .split(/\s+#|\|\|?|&&|;|>|\(|\)/)
    .map(part => part.trim())

/** The script and the arguments of `npm run`. */
function npmRunIn(command: string): { script: string; args: string[] } | undefined {
  const run = /\bnpm run (?:-s |--prefix \S+ )?(?<script>[\w:-]+)(?: -- ?(?<args>.*))?$/.exec(command)?.groups
  return run && { script: run['script']!, args: (run['args'] ?? '').split(/\s+/).filter(Boolean) }
}
/** The arguments of the command of a release, or of a container. */
function trackerIn(command: string): string[] | undefined {
  const run = npmRunIn(command)
  if (run) return run.script === 'tracker' ? run.args : undefined
  return /^(?:[\w./-]*\/)?(?:tracker|node core\/cli\.js) (?<args>.+)$/.exec(command)?.groups?.['args']?.split(/\s+/)
}

/** `--from`, `[--from` and `--from=jira` are the option `from`. */
const optionsOf = (args: readonly string[]): string[] =>
  args.flatMap(arg => /^\[?--(?<name>[a-z][a-z-]*)/.exec(arg)?.groups?.['name'] ?? [])

/** Why a command of the command line does not exist; undefined: it does. */
function problemOf(known: readonly Command[], args: readonly string[]): string | undefined {
  const [first = ''] = args
  if (['', 'help', 'start', '--help', '--version'].includes(first) || /^[A-Z]+$/.test(first)) return undefined
  const command = known
    .filter(({ name }) => `${args.join(' ')} `.startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length)[0]
  if (!command) return `no command: ${args.join(' ')}`
  const option = optionsOf(args).find(name => !new RegExp(`--${name}\\b(?!-)`).test(command.help))
  return option && `no option --${option} of ${command.name}`
}

/** The code of a script, with that of the modules beside it that it imports. */
function sourceOf(script: string): string {
  const file = /(?:scripts|bench|lib)\/\S+\.ts/.exec(scripts[script]!)?.[0]
  if (file === undefined) return ''
  const text = readText(file)
  const imported = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path]) => join(dirname(file), path!))
  return [text, ...imported.map(readText)].join('\n')
}

/** The schema of a setting by its path; undefined if there is none. */
function settingAt(path: readonly string[]): TSchema | undefined {
  let at = settingsSchema(plugins) as TSchema | undefined
  for (const key of path) {
    const { properties, anyOf, patternProperties, additionalProperties } = at as {
      properties?: Record<string, TSchema>
      anyOf?: Array<{ properties?: Record<string, TSchema> }>
      patternProperties?: Record<string, TSchema>
      additionalProperties?: TSchema | boolean
    }
    const others = patternProperties ? Object.values(patternProperties)[0] : undefined
    const fallback = typeof additionalProperties === 'object' ? additionalProperties : undefined
    at = properties?.[key] ?? anyOf?.find(each => each.properties?.[key])?.properties?.[key] ?? others ?? fallback
    if (at === undefined) return undefined
  }
  return at
}
/** The plugin that plugins/README.md makes, and what stands for any. */
const isExample = (path: readonly string[]): boolean => ['notes', 'name'].includes(path[1]!)

/** Variables that are no settings: for the start, clients, and the programs that plugins start. */
const OTHER_VARIABLES = new Set([
  ...['TRACKER_PLAIN_START', 'TRACKER_CONFIG', 'TRACKER_URL', 'TRACKER_TOKEN'],
  ...Object.values(coreVariables),
  ...plugins.flatMap(({ spec }) => [...Object.keys(spec.env ?? {}), ...(spec.childEnv ?? [])])
])
const camel = (text: string) => text.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

function isVariable(name: string): boolean {
  const plain = name.replace(/_FILE$/, '')
  if (OTHER_VARIABLES.has(name) || OTHER_VARIABLES.has(plain)) return true
  const path = plain
    .replace(/^TRACKER_/, '')
    .split('__')
    .map(camel)
  return settingAt(path) !== undefined || isExample(path)
}

t.test('a command, an option and a setting that are not there are found', async t => {
  const [known] = [{ name: 'backup verify', help: 'backup verify FILE\n --help' }] as Command[]
  t.equal(problemOf([known!], ['backup', 'verify', 'FILE']), undefined)
  t.equal(problemOf([known!], ['backup', 'verify', '--fast']), 'no option --fast of backup verify')
  t.equal(problemOf([known!], ['undo']), 'no command: undo')
  t.strictSame(npmRunIn('npm run -s tracker -- files check --all'), {
    script: 'tracker',
    args: ['files', 'check', '--all']
  })
  t.ok(settingAt(['plugins', 'files', 'maxBytes']))
  t.notOk(settingAt(['plugins', 'files', 'maxBites']))
  t.ok(isVariable('TRACKER_TRUST_PROXY') && isVariable('TRACKER_PLUGINS__OIDC__CLIENT_SECRET_FILE'))
  t.notOk(isVariable('TRACKER_TRUST_PROXIES'))
})

t.test('every command that a page names exists, with its options', async t => {
  const server = await buildWithAllPlugins()
  t.teardown(() => server.close())
  const known = [
    ...configCommands(installed, {}, async () => {}),
    ...server.contributions(commands).map(({ item }) => item)
  ]
  let count = 0
  for (const page of pages) {
    const written = codeOf(readText(page)).flatMap(commandsIn)
    const problems = written.flatMap(command => {
      const run = npmRunIn(command)
      const args = trackerIn(command)
      if (run || args) count++
      if (args) return problemOf(known, args) ?? []
      if (!run) return []
      if (!scripts[run.script]) return `no script: ${run.script}`
      const source = sourceOf(run.script)
      return optionsOf(run.args)
        .filter(option => !new RegExp(`\\b${option}\\b`).test(source))
        .map(option => `no option --${option} of npm run ${run.script}`)
    })
    t.strictSame(problems, [], page)
  }
  t.ok(count > 100, `${count} commands`)
})

/** Programs in commands of pages that no test here looks at, each with the reason. */
const OTHER_PROGRAMS: Readonly<Record<string, string>> = {
  curl: 'its paths are checked below, against the routes',
  npx: 'of a client; what it installs is tested in plugins/skills',
  docker: 'there is none here: scripts/image.sh builds and starts the image, test/compose.test.ts reads compose.yaml',
  git: 'of another project',
  node: 'a script in the repository of its reader, which commit-hook prints',
  pg_dump: 'of PostgreSQL; test/backup.test.ts and deploy/backup.sh are the tested way',
  createdb: 'of PostgreSQL',
  pg_restore: 'of PostgreSQL',
  ...Object.fromEntries(
    [
      'sha256sum',
      'shasum',
      'tar',
      'touch',
      'sed',
      'grep',
      'cut',
      'echo',
      'tee',
      'chmod',
      'ln',
      'install',
      'sh',
      'cat',
      'cd'
    ]
      .concat([
        'export',
        'set',
        'kill',
        'source',
        'mkdir',
        'cp',
        'openssl',
        'exec',
        'test',
        'if',
        'fi',
        'then',
        'printf'
      ])
      .map(name => [name, 'of every system'])
  ),
  ...Object.fromEntries(
    ['useradd', 'systemctl', 'journalctl', 'runuser'].map(name => [name, 'of systemd; the unit: test/deploy.test.ts'])
  ),
  ...Object.fromEntries(
    ['kubectl', 'psql', 'nginx', 'caddy', 'promtool'].map(name => [name, 'what it reads: test/deploy.nightly.test.ts'])
  )
}
/** Variables that pages set, which are no settings of tracker. */
const FOREIGN_VARIABLES: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'of compose.yaml',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'of OpenTelemetry: test/telemetry.test.ts',
  NODE_EXTRA_CA_CERTS: 'of Node'
}

/** A block of commands for a shell, without comments and quoted text; empty for other blocks. */
function shellOf(info: string, content: string): string[] {
  const bare = content
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/(?<=^|\s)#.*$/gm, '')
    .replaceAll(/\$\([^)]*\)/g, '_')
    .replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, '_')
  const lines = bare.split('\n').flatMap(line => line.split(/\|\|?|&&|;/))
  const isShell = info === 'sh' || lines.some(line => /^\s*(?:npm|tracker|curl|docker|git|node|pg_dump) /.test(line))
  return isShell && ['', 'sh'].includes(info) ? lines.map(line => line.trim()).filter(Boolean) : []
}
const blocksOf = (page: string): string[] =>
  new MarkdownIt()
    .parse(readText(page), {})
    .filter(({ type }) => ['fence', 'code_block'].includes(type))
    .flatMap(({ info, content }) => shellOf(info, content))

const ASSIGNMENT = /^([A-Za-z_]\w*)=\S*\s*/
const FILE_OF_OURS = /^(?:\.\/)?(?:scripts|bench|deploy|examples|\.ci)\//

t.test('every command for a shell is known, or is listed with the reason why it is not run', async t => {
  const seen = new Set<string>()
  for (const page of pages) {
    const unknown = blocksOf(page).flatMap(command => {
      let rest = command
      while (ASSIGNMENT.test(rest)) rest = rest.replace(ASSIGNMENT, '')
      const [program = ''] = rest.split(/\s+/)
      if (program === '' || program === 'npm' || trackerIn(rest) || FILE_OF_OURS.test(program)) return []
      seen.add(program)
      return Object.hasOwn(OTHER_PROGRAMS, program) ? [] : [command]
    })
    t.strictSame(unknown, [], page)
  }
  t.ok(seen.size > 10, [...seen].join(', '))
})

t.test('every variable that a command sets is one of tracker, of its example, or listed with its owner', async t => {
  for (const page of pages) {
    const code = codeOf(readText(page)).join('\n')
    const unknown = blocksOf(page).flatMap(command => {
      const names: string[] = []
      for (let rest = command; ASSIGNMENT.test(rest); rest = rest.replace(ASSIGNMENT, '')) {
        names.push(ASSIGNMENT.exec(rest)![1]!)
      }
      const isUsed = (name: string) => code.includes(`$${name}`) || code.includes(`\${${name}}`)
      return names.filter(name => {
        if (name.startsWith('TRACKER_') || OTHER_VARIABLES.has(name.replace(/_FILE$/, ''))) return false
        return !isUsed(name) && !Object.hasOwn(FOREIGN_VARIABLES, name) && !name.startsWith('TEST_')
      })
    })
    t.strictSame(unknown, [], page)
  }
})

/** Paths that pages name and that are not in OpenAPI, each with the reason. */
const OTHER_PATHS: Readonly<Record<string, string>> = {
  '/v1/oauth/register': 'of the standard of OAuth, as the metadata of the server names it',
  '/v1/oauth/token': 'the same',
  '/v1/oauth/revoke': 'the same',
  '/v1/notes': 'of the plugin that plugins/README.md makes'
}
/** The paths of routes as patterns: a segment in braces stands for any. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)

t.test('every path of the REST API that a page names is a route', async t => {
  const server = await buildWithAllPlugins()
  t.teardown(() => server.close())
  const { paths = {} } = server.app.swagger() as { paths?: Record<string, object> }
  const patterns = Object.keys(paths).map(patternOf)
  let count = 0
  for (const page of pages) {
    const code = codeOf(readText(page)).join('\n')
    const named = [...code.matchAll(/(?<![\w-])\/v1\/[\w/:${}<>.-]*[\w}>](?![\w/…*-])/g)].map(([path]) => path)
    count += named.length
    t.strictSame(
      [...new Set(named)].filter(
        path => !Object.hasOwn(OTHER_PATHS, path) && !patterns.some(pattern => pattern.test(path))
      ),
      [],
      page
    )
  }
  t.ok(count > 100, `${count} paths`)
})

t.test('every file that a page runs is there', async t => {
  const RUN = /(?:^|[\s=(])(?:\.\/)?((?:scripts|bench|deploy|examples)\/[\w./-]+\.(?:ts|sh|py))/g
  for (const page of pages) {
    const files = codeOf(readText(page)).flatMap(line => [...line.matchAll(RUN)].map(([, file]) => file!))
    t.strictSame(
      files.filter(file => !existsSync(join(project, file))),
      [],
      page
    )
  }
})

t.test('every setting and every variable that a page names exists', async t => {
  let count = 0
  for (const page of pages) {
    const code = codeOf(readText(page)).join('\n')
    const settings = [...code.matchAll(/(?<![\w/.])plugins((?:\.[a-z]\w*)+)(?![\w/*(-])/gi)].map(([, path]) => [
      'plugins',
      ...path!.slice(1).split('.')
    ])
    const variables = [...code.matchAll(/\bTRACKER_[A-Z\d_]*[A-Z\d]\b(?!_)/g)].map(([name]) => name)
    count += settings.length + variables.length
    const gone = [
      ...settings.filter(path => settingAt(path) === undefined && !isExample(path)).map(path => path.join('.')),
      ...variables.filter(name => !isVariable(name))
    ]
    t.strictSame([...new Set(gone)], [], page)
  }
  t.ok(count > 200, `${count} settings`)
})
