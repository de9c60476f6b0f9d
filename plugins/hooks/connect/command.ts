import { access, constants, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { defineCommand } from '../../../core/api/command.ts'
import { TOOLSETS } from '../../mcp/contract.ts'
import type { Ctx } from '../context.ts'
import { checkServer } from './check.ts'
import { CLIENT_NAMES, CLIENT_TEXTS, nextSteps } from './names.ts'
import { addressOf, TOKEN_VARIABLE, type ConfigFile } from './options.ts'

export const connectCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'connect',
    summary: `Connect an agent’s client (${CLIENT_NAMES.join(', ')}) in a repository`,
    arguments: { client: { description: `${CLIENT_NAMES.join(' | ')}.` } },
    options: {
      dir: { type: 'string', placeholder: 'DIR', description: 'The agent’s repository. Default: the current folder.' },
      url: {
        type: 'string',
        placeholder: 'URL',
        description: 'The address of the server. Default: TRACKER_URL, or where this server listens.'
      },
      tools: {
        type: 'string',
        placeholder: TOOLSETS.join('|'),
        description: 'The tools listed to the agent: all, or only the core ones. Default: unchanged, or all.'
      },
      'allow-tools': {
        type: 'boolean',
        description:
          'Let the client call the tools without asking, for unattended runs; prints what the ' +
          'client needs in addition to its files.'
      },
      print: { type: 'boolean', description: 'Write nothing: print each file as it would be.' }
    },
    database: false,
    async run({ client, 'allow-tools': allowTools, print, ...values }) {
      const name = CLIENT_NAMES.find(each => each === client)
      if (name === undefined) throw new Error(`Name the client: connect ${CLIENT_NAMES.join(' | ')}.`)
      const tools = TOOLSETS.find(toolset => toolset === values.tools)
      if (values.tools !== undefined && tools === undefined) {
        throw new Error(`--tools is ${TOOLSETS.join(' or ')}, not '${values.tools}'.`)
      }
      const url = addressOf(values.url ?? process.env['TRACKER_URL'] ?? ctx.use.address.origin())
      const dir = resolve(workingDirectory(), values.dir ?? '.')
      if (!(await isFolder(dir))) throw new Error(`There is no folder ${dir}: name the repository with --dir.`)

      // Only this command needs the editors of files.
      const { clientFiles } = await import('./clients.ts')
      // All are read and edited before the first is written, so that a failure changes no file.
      const files = clientFiles(name, url, { mcp: ctx.use.mcp !== undefined, allowTools, tools })
      if (files.length === 0) throw new Error(`${name} has no hooks, and the plugin mcp is off: nothing to connect.`)
      const edited = await Promise.all(
        files.map(file => edit(file.isInHome ? (process.env['HOME'] ?? homedir()) : dir, file))
      )
      if (print) {
        for (const { path, after } of edited) process.stdout.write(`${path}:\n\n${after}\n`)
        return
      }
      for (const file of edited) await assertWritable(file)
      for (const file of edited) await write(file)
      const checked = await checkServer(url, process.env[TOKEN_VARIABLE] || undefined)
      const [next, ...start] = nextSteps(name)
      const permission = allowTools ? CLIENT_TEXTS[name].unattended : OFFER
      const lines = [`The server is ${url}.`, checked, next, permission, ...start]
      process.stderr.write(`${lines.join('\n')}\n`)
    }
  })

const OFFER = 'It asks before it calls a tool that writes, and refuses in unattended runs: --allow-tools allows them.'

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    stats => stats.isDirectory(),
    () => false
  )

interface EditedFile {
  /** As it is printed: from the folder, or `~/…` in the home. */
  path: string
  target: string
  mark: string
  /** Undefined: the file does not exist. */
  before: string | undefined
  after: string
}

const BYTE_ORDER_MARK = '\uFEFF'
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function edit(folder: string, { path: relative, isInHome, edit }: ConfigFile): Promise<EditedFile> {
  const target = join(folder, relative)
  const path = isInHome ? `~/${relative}` : relative
  const bytes = await readFile(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read (${error.code}). Nothing was written.`)
  })
  try {
    const text = bytes && decode(bytes)
    const mark = text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
    const before = text?.slice(mark.length)
    return { path, target, mark, before, after: edit(before ?? '') }
  } catch (error) {
    throw new Error(`${path} ${(error as Error).message}. Mend it and connect again; nothing was written.`)
  }
}

/** @throws Error when decoding and encoding would change the bytes */
function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Error('is not UTF-8')
  }
}

/** @throws Error when this user may not write it */
async function assertWritable({ path, target, before, after }: EditedFile): Promise<void> {
  if (before === undefined || after === before) return
  await access(target, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be written (${error.code}): let this user write to it. Nothing was written.`)
  })
}

async function write({ path, target, mark, before, after }: EditedFile): Promise<void> {
  if (after !== before) {
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, mark + after)
  }
  process.stdout.write(`${before === undefined ? 'created' : after === before ? 'unchanged' : 'changed'} ${path}\n`)
}

/** npm changes to the package's folder before it runs a script. */
const workingDirectory = () =>
  process.env['npm_lifecycle_event'] === 'tracker' ? (process.env['INIT_CWD'] ?? '.') : '.'
