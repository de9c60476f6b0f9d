import { parseArgs } from 'node:util'
import type { Command, OpenDatabase } from './points.ts'
import { processTerminal, type Terminal } from '../cli/terminal.ts'
import { nearestName } from '../naming/names.ts'
import { version } from '../../lib/packages/version.ts'
import type { Installation } from '../../lib/packages/install.ts'

export { spellControls } from '../../lib/util/spell-controls.ts'
export type { Terminal } from '../cli/terminal.ts'
export { secretOf } from '../config/environment.ts'

/** Exit code of a command that left something out. */
export const EXIT_PARTIAL = 2

interface CommandArgument {
  description: string
  optional?: true
}
interface CommandOption {
  type: 'string' | 'boolean'
  description: string
  /** The placeholder of the value in the help. Default: `VALUE`. */
  placeholder?: string
  default?: string
  required?: true
  /** Another option, beside which it has no value: the command gets an empty text then. */
  flagBeside?: string
}
type Arguments = Record<string, CommandArgument>
type Options = Record<string, CommandOption>

type Values<A extends Arguments, O extends Options> = {
  [K in keyof A]: A[K] extends { optional: true } ? string | undefined : string
} & {
  [K in keyof O]: O[K] extends { type: 'boolean' }
    ? boolean
    : O[K] extends { default: string } | { required: true }
      ? string
      : string | undefined
}

interface CommandSpec<A extends Arguments, O extends Options> {
  name: string
  /** One line, for the list of commands and the command's own help. */
  summary: string
  details?: string
  /** Positional, in this order. */
  arguments?: A
  options?: O
  /** `existing`: it must have tables already, so that a wrong path or URL creates none. */
  database: boolean | 'existing'
  /**
   * @param terminal standard output, files and environment of the user (the process may be that of a server)
   * @returns the exit code, if it is not 0
   * @throws Error whose message tells the user what to do
   */
  run(values: Values<A, O>, terminal: Terminal): Promise<number | void>
}

const HELP = { type: 'boolean', description: 'Print this help and do nothing.' } as const satisfies CommandOption

export function defineCommand<
  const A extends Arguments = Record<never, CommandArgument>,
  const O extends Options = Record<never, CommandOption>
>(spec: CommandSpec<A, O>): Command {
  const usage = usageOf(spec.arguments ?? {}, spec.options ?? {})
  return {
    name: spec.name,
    summary: spec.summary,
    usage,
    help: helpOf(spec, usage),
    needsDatabase: spec.database !== false,
    async run(args, openDatabase, terminal = processTerminal()) {
      const values = parseValues(spec, args)
      const code = spec.database ? await openDatabase?.(spec.database === 'existing') : undefined
      return code ?? (await spec.run(values as Values<A, O>, terminal)) ?? 0
    }
  }
}

export interface Installable extends Pick<Installation, 'packages' | 'modules' | 'entries'> {
  /** A sentence that says where they are installed already; undefined: they are not. */
  present: string | undefined
  /** For the message before the download: `65 packages`. */
  downloaded: string
  /** For the message at the end: `OpenTelemetry`. */
  title: string
}
interface InstallSpec {
  name: string
  summary: string
  size: string
  /** Called by the command alone: a server starts without what it imports. */
  find(): Promise<Installable>
}
/** A command that adds packages to a release, or to a checkout without them. */
export const defineInstallCommand = ({ name, summary, size, find }: InstallSpec): Command =>
  defineCommand({
    name,
    summary,
    details:
      `${size} A release that replaces this one needs them again.\n` +
      'It does nothing where they are installed; after a failure everything is as before.',
    options: {
      from: {
        type: 'string',
        placeholder: 'FOLDER',
        description: 'Take the packages from the .tgz files in it, as npm pack writes them, without npm and network.'
      }
    },
    database: false,
    async run({ from }, terminal) {
      const [{ installPackages }, installable] = await Promise.all([import('../../lib/packages/install.ts'), find()])
      const { present, downloaded, title, ...installed } = installable
      if (present !== undefined) {
        terminal.print(present)
        return
      }
      if (from === undefined) terminal.print(`Downloading ${downloaded} …`)
      await installPackages({
        ...installed,
        command: name,
        from: from === undefined ? undefined : terminal.path(from)
      })
      terminal.print(`Installed ${title} in ${installed.modules}: start the server again.`)
    }
  })

const optionUsage = (name: string, { type, placeholder = 'VALUE' }: CommandOption) =>
  type === 'boolean' ? `--${name}` : `--${name} ${placeholder}`

const usageOf = (args: Arguments, options: Options): string =>
  [
    ...Object.entries(args).map(([name, { optional }]) =>
      optional ? `[${argumentUsage(name)}]` : argumentUsage(name)
    ),
    ...Object.entries(options).map(([name, option]) =>
      option.required ? optionUsage(name, option) : `[${optionUsage(name, option)}]`
    )
  ].join(' ')
const argumentUsage = (name: string) => name.toUpperCase()

function helpOf(spec: CommandSpec<Arguments, Options>, usage: string): string {
  const rows = [
    ...Object.entries(spec.arguments ?? {}).map(([name, { description }]) => [argumentUsage(name), description]),
    ...Object.entries({ ...spec.options, help: HELP }).map(([name, option]: [string, CommandOption]) => [
      optionUsage(name, option),
      `${option.description}${option.default === undefined ? '' : ` Default: ${option.default}.`}`
    ])
  ] as Array<[string, string]>
  const width = Math.max(...rows.map(([what]) => what.length)) + 2
  return [
    `npm run tracker -- ${`${spec.name} ${usage}`.trim()}`,
    spec.summary,
    rows.map(([what, description]) => `  ${what.padEnd(width)}${description}`).join('\n'),
    ...(spec.details === undefined ? [] : [spec.details])
  ].join('\n\n')
}

function parseValues(spec: CommandSpec<Arguments, Options>, args: readonly string[]): Record<string, unknown> {
  const refuse = (problem: string) => new Error(`${problem} See: npm run tracker -- ${spec.name} --help`)
  const options = Object.fromEntries(
    Object.entries(spec.options ?? {}).map(([name, { type, default: value, flagBeside }]) => [
      name,
      {
        type: flagBeside !== undefined && isNamed(flagBeside, args) ? 'boolean' : type,
        ...(value !== undefined && { default: value })
      } as const
    ])
  )
  const { values, positionals } = parse()
  const names = Object.keys(spec.arguments ?? {})
  const missing = names.find((name, at) => !spec.arguments?.[name]?.optional && positionals[at] === undefined)
  if (missing !== undefined) {
    throw refuse(`${argumentUsage(missing)} is missing: ${spec.arguments?.[missing]?.description}`)
  }
  const needed = Object.entries(spec.options ?? {}).find(
    ([name, { required }]) => required && values[name] === undefined
  )
  if (needed !== undefined) throw refuse(`${optionUsage(...needed)} is missing: ${needed[1].description}`)
  const extra = positionals[names.length]
  if (extra !== undefined) throw refuse(`There is one argument too many: '${extra}'.`)
  return {
    ...Object.fromEntries(
      Object.entries(spec.options ?? {}).map(([name, { type }]) => [name, valueOf(values[name], type)])
    ),
    ...Object.fromEntries(names.map((name, at) => [name, positionals[at]]))
  }

  function parse() {
    try {
      return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    } catch (error) {
      // The following sentences of Node explain how a value may begin with a dash.
      const [problem] = (error as Error).message.split(/[.\n]/)
      throw refuse(`${problem}.`)
    }
  }
}

const isNamed = (option: string, args: readonly string[]): boolean =>
  args.some(arg => arg === `--${option}` || arg.startsWith(`--${option}=`))

function valueOf(value: unknown, type: CommandOption['type']): unknown {
  if (type === 'boolean') return value ?? false
  return value === true ? '' : value
}

/** @param openDatabase called after the arguments are validated. @returns the exit code */
export async function runCommand(
  known: readonly Command[],
  args: readonly string[],
  openDatabase: OpenDatabase,
  terminal = processTerminal()
): Promise<number> {
  const [first, ...others] = args
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && others.length === 0)) {
    await terminal.write(listOf(known))
    return 0
  }
  if (first === '--version' || first === '-v') {
    await terminal.write(`${version}\n`)
    return 0
  }
  if (first === 'help') return runCommand(known, [...others, '--help'], openDatabase, terminal)

  const asksForHelp = args.some(isHelp)
  const command = findCommand(known, args)
  if (command === undefined) {
    const group = known.filter(({ name }) => name.startsWith(`${first} `))
    if (group.length > 0 && (asksForHelp || others.length === 0)) {
      await terminal.write(listOf(group))
      return others.length === 0 ? 1 : 0
    }
    const words = args.slice(0, args.findIndex(isOption) >>> 0)
    const name = words.join(' ')
    const names = known.map(each => each.name)
    // Arguments may follow a name of one or two words.
    const meant = [words.slice(0, 2), words.slice(0, 1)]
      .map(begun => nearestName(begun.join(' '), names))
      .find(near => near !== undefined)
    const hint = meant === undefined ? '' : ` Did you mean '${meant}'?`
    throw new Error(`There is no command '${name}'.${hint}\n\n${listOf(group.length > 0 ? group : known)}`)
  }
  if (asksForHelp) {
    await terminal.write(`${command.help}\n`)
    return 0
  }
  return command.run(args.slice(command.name.split(' ').length), openDatabase, terminal)
}

export const findCommand = (known: readonly Command[], args: readonly string[]): Command | undefined =>
  known.find(({ name }) => name.split(' ').every((word, at) => args[at] === word))

const isHelp = (arg: string) => arg === '--help' || arg === '-h'
const isOption = (arg: string) => arg.startsWith('-')

const listOf = (known: readonly Command[]) =>
  `npm run tracker -- COMMAND\n\n${known
    .map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trim().padEnd(46)} ${summary}`)
    .join('\n')}\n\nCOMMAND --help says more about one; --version prints the version.\n`
