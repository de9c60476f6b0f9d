import { access, constants, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { defineCommand } from '../../../core/api/command.ts'
import { TOOLSETS } from '../../mcp/contract.ts'
import { HARNESSES, type Harness } from '../contract.ts'
import type { Ctx } from '../context.ts'
import { checkServer } from './check.ts'
import { TOKEN_VARIABLE, type ConfigFile } from './options.ts'

/** `connect HARNESS`: writes a client's configuration for the MCP server and the hooks into a repository. */
export const connectCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'connect',
    summary: `Connect an agent’s client (${HARNESSES.join(', ')}) in a repository`,
    arguments: { client: { description: `${HARNESSES.join(' | ')}.` } },
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
      }
    },
    database: false,
    async run({ client, 'allow-tools': allowTools, ...values }) {
      const harness = HARNESSES.find(harness => harness === client)
      if (harness === undefined) throw new Error(`Name the client: connect ${HARNESSES.join(' | ')}.`)
      const tools = TOOLSETS.find(toolset => toolset === values.tools)
      if (values.tools !== undefined && tools === undefined) {
        throw new Error(`--tools is ${TOOLSETS.join(' or ')}, not '${values.tools}'.`)
      }
      const url = addressOf(values.url ?? process.env['TRACKER_URL'] ?? ctx.origin())
      const dir = resolve(workingDirectory(), values.dir ?? '.')
      if (
        !(await stat(dir).then(
          stats => stats.isDirectory(),
          () => false
        ))
      ) {
        throw new Error(`There is no folder ${dir}: name the repository with --dir.`)
      }

      // Only this command needs the editors of files.
      const { filesOf } = await import('./clients.ts')
      // All are read and edited before the first is written, so that a failure changes no file.
      const edited = await Promise.all(
        filesOf(harness, url, { mcp: ctx.use.mcp !== undefined, allowTools, tools }).map(file => edit(dir, file))
      )
      for (const file of edited) await assertWritable(dir, file)
      for (const file of edited) await write(dir, file)
      const checked = await checkServer(url, process.env[TOKEN_VARIABLE] || undefined)
      process.stderr.write(
        [`The server is ${url}.`, checked, NEXT[harness], allowTools ? ALLOWED[harness] : OFFER, START].join('\n') +
          '\n'
      )
    }
  })

const OFFER = 'It asks before it calls a tool that writes, and refuses in unattended runs: --allow-tools allows them.'
/** The option that allows the tools in unattended runs, on a machine on which the client was never started. */
const ALLOWED: Record<Harness, string> = {
  'claude-code':
    'Its tools are allowed once this folder is trusted in Claude Code. Until then, start it with ' +
    'claude -p "…" --mcp-config .mcp.json --allowedTools mcp__tracker',
  codex: 'Its tools are allowed in a repository that Codex trusts. Until then, start it with ' + 'codex exec --trust',
  cursor:
    'Cursor has no such setting in a repository. For unattended runs, start it with ' +
    'cursor-agent --print --approve-mcps --force'
}
const START = `Start it with the agent’s token in the variable ${TOKEN_VARIABLE}; the files hold only its name.`
const NEXT: Record<Harness, string> = {
  'claude-code': 'Claude Code asks once whether it may use the MCP server of this repository.',
  codex: 'Codex reads these files in a repository that it trusts, and has the hooks reviewed once (/hooks).',
  cursor: 'Cursor asks once whether it may use the MCP server of this repository.'
}

interface EditedFile {
  path: string
  /** Its byte order mark, if any. */
  mark: string
  /** Undefined: the file does not exist. */
  before: string | undefined
  after: string
}

const BYTE_ORDER_MARK = '\uFEFF'
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function edit(dir: string, { path, edit }: ConfigFile): Promise<EditedFile> {
  const bytes = await readFile(join(dir, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read (${error.code}). Nothing was written.`)
  })
  try {
    const text = bytes && decode(bytes)
    const mark = text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
    const before = text?.slice(mark.length)
    return { path, mark, before, after: edit(before ?? '') }
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
async function assertWritable(dir: string, { path, before, after }: EditedFile): Promise<void> {
  if (before === undefined || after === before) return
  await access(join(dir, path), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be written (${error.code}): let this user write to it. Nothing was written.`)
  })
}

/** Writes a file if its content has changed, and prints the result. */
async function write(dir: string, { path, mark, before, after }: EditedFile): Promise<void> {
  if (after !== before) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), mark + after)
  }
  process.stdout.write(`${before === undefined ? 'created' : after === before ? 'unchanged' : 'changed'} ${path}\n`)
}

/** The user's working directory: npm changes to the package's before it runs a script. */
const workingDirectory = () =>
  process.env['npm_lifecycle_event'] === 'tracker' ? (process.env['INIT_CWD'] ?? '.') : '.'

/** A server's address that is safe in each of the files, including shell commands. */
function addressOf(text: string): string {
  const url = text.replace(/(?<!\/)\/+$/, '')
  if (!/^https?:\/\/[\w.:[\]-]+(?:\/[\w.~%-]+)*$/.test(url)) {
    throw new Error(`'${text}' is not the address of a server: send one such as --url https://tracker.example.com`)
  }
  return url
}
