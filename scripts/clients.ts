/*
 * `node scripts/clients.ts [CLIENT[:WAY]…]` drives real clients of agents through a whole task, by token, by OAuth, and
 * started by the runners of examples/, against a server and a model of its own. It installs their newest versions from
 * npm into a temporary folder; `CLIENTS_FOLDER` names one that stays, in which those that are installed are used. With
 * `--record FOLDER`, what the clients write for their runners is kept, short, for tests.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { drive, WAYS, waysOf, type Way } from './clients/drive.ts'
import { claudeCode } from './clients/driven/claude-code.ts'
import type { DrivenClient } from './clients/driven/client.ts'
import { codex } from './clients/driven/codex.ts'
import { gemini } from './clients/driven/gemini.ts'
import { inspector } from './clients/driven/inspector.ts'
import { opencode } from './clients/driven/opencode.ts'
import { install, pathWithNode, versionOf } from './clients/install.ts'
import { startFakeModel } from './clients/model/server.ts'
import { startTracker } from './clients/tracker.ts'
import { readOptions } from './read-options.ts'

const ALL: readonly DrivenClient[] = [claudeCode, codex, gemini, opencode, inspector]

/** The clients and ways that the arguments name: all without one. */
function chosen(names: readonly string[]): Array<{ client: DrivenClient; ways: readonly Way[] }> {
  if (names.length === 0) return ALL.map(client => ({ client, ways: waysOf(client) }))
  return names.map(argument => {
    const [name, wayName] = argument.split(':')
    const client = ALL.find(each => each.name === name)
    const ways = client ? waysOf(client).filter(way => wayName === undefined || way === wayName) : []
    if (client === undefined || ways.length === 0) {
      throw new Error(
        `'${argument}' is not CLIENT or CLIENT:WAY, of ${ALL.map(each => each.name).join(', ')} and ${WAYS.join(', ')}.`
      )
    }
    return { client, ways }
  })
}

async function installMissing(clients: readonly DrivenClient[], folder: string): Promise<string> {
  const commands = join(folder, 'node_modules', '.bin')
  const missing = clients.filter(({ command }) => !existsSync(join(commands, command))).map(client => client.package)
  if (missing.length > 0) {
    print(`Installing ${missing.join(' ')}.`)
    await install(folder, missing)
  }
  return commands
}

const { values: options, positionals } = readOptions('node scripts/clients.ts [--record FOLDER] [CLIENT[:WAY]…]', {
  allowPositionals: true,
  options: { record: { type: 'string' } }
})
const runs = chosen(positionals)
const folder = await mkdtemp(join(tmpdir(), 'tracker-clients-'))
const commands = await installMissing(
  runs.map(({ client }) => client),
  process.env['CLIENTS_FOLDER'] ?? join(folder, 'clients')
)
const path = [commands, pathWithNode()].join(delimiter)
const model = await startFakeModel()
const tracker = await startTracker(folder)
let hasFailed = false
try {
  for (const { client, ways } of runs) {
    const version = await versionOf(join(commands, client.command), { PATH: path, HOME: folder })
    for (const way of ways) {
      const started = Date.now()
      const result = await drive(client, way, { tracker, model, folder, path, recordTo: options.record }).then(
        () => 'passed',
        (error: Error) => {
          hasFailed = true
          return `failed: ${error.message}`
        }
      )
      print(`${client.title} ${version}, by ${way}: ${result} (${Math.round((Date.now() - started) / 1_000)} s)`)
    }
  }
} finally {
  model.close()
  await tracker.end()
  if (hasFailed) print(`What the clients wrote is in ${folder}/*/output.txt.`)
  else await rm(folder, { recursive: true, force: true })
}
process.exitCode = hasFailed ? 1 : 0

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
