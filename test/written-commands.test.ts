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

/* What the pages of the documentation tell readers to run and to set is there. */

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

/** What is run by `npm run`: the script and its arguments. */
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
