import { defineCommand } from '../../core/api/command.ts'
import { mcpInstructions } from './contract.ts'
import type { Ctx } from './context.ts'
import { withScratchServer } from './scratch-server.ts'
import { makeToolbox, toolsOf } from './toolbox.ts'

/** An agent's tokens for the list of tools, and for a typical task. */
export const costCommand = ({ contributions, log, use }: Ctx) =>
  defineCommand({
    name: 'mcp-cost',
    summary:
      'Print the tokens (o200k_base) of each MCP tool, of the instructions, and of the results of a typical task',
    options: {
      board: { type: 'string', placeholder: 'FILE', description: 'A board to measure on, as import reads it.' },
      task: { type: 'string', placeholder: 'KEY', description: 'The task of that board; default: its first open one.' }
    },
    database: false,
    async run({ board, task }) {
      const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
      const print = (rows: Array<[what: string, text: string]>) => {
        let sum = 0
        for (const [what, text] of rows) {
          const tokens = countTokens(text, { disallowedSpecial: new Set() })
          sum += tokens
          process.stdout.write(`${String(tokens).padStart(6)}  ${what}\n`)
        }
        return sum
      }
      const tools = makeToolbox(toolsOf(contributions), log).visible(use.access.scopes().map(({ name }) => name))
      print([
        ...tools.map((tool): [string, string] => [tool.name, JSON.stringify(tool)]),
        ['tools/list', JSON.stringify({ tools })],
        [
          'instructions',
          contributions(mcpInstructions)
            .map(({ item }) => item.sentence)
            .join(' ')
        ]
      ])
      process.stdout.write('\nA typical task, results:\n')
      const sum = print(
        await withScratchServer(board, (url, token) => typicalTask(url, token, board === undefined, task))
      )
      process.stdout.write(`${String(sum).padStart(6)}  together\n`)
    }
  })

const SAMPLE = {
  title: 'Saving a draft fails when the title has an emoji',
  description:
    'Saving a draft answers 500 as soon as its title has a character outside of the basic plane.\n\n' +
    '1. Open a new draft.\n2. Type "Launch 🚀" as its title.\n3. Save.\n\n' +
    'The log says `value too long for type character varying(80)`: the length is counted in UTF-16 units in one ' +
    'place and in code points in the other.',
  acceptanceCriteria: [
    'A title of 80 emojis can be saved and is read back unchanged.',
    'A title of 81 is refused with a message that says how long it may be.'
  ]
}

/** @returns the answers */
async function typicalTask(
  url: string,
  token: string,
  isEmpty: boolean,
  task: string | undefined
): Promise<Array<[string, string]>> {
  const results: Array<[string, string]> = []
  async function call(name: string, args: object): Promise<string> {
    const response = await fetch(`${url}/v1/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream'
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    })
    const { result, error } = (await response.json()) as {
      result?: { content: Array<{ text: string }>; isError?: boolean }
      error?: { message: string }
    }
    const text = result?.content[0]?.text ?? error?.message ?? ''
    if (result === undefined || result.isError) throw new Error(`${name}: ${text}`)
    results.push([name, text])
    return text
  }
  if (isEmpty) await call('create_task', SAMPLE)
  const { tasks = [] } = JSON.parse(await call('list_tasks', { stateCategory: ['UNSTARTED'] })) as {
    tasks?: Array<{ key: string }>
  }
  const key = task ?? tasks[0]?.key
  if (key === undefined) throw new Error('There is nothing to do on this board: name a task with --task.')
  await call('get_task', { task: key })
  await call('pick_up_task', { task: key })
  await call('add_note', { task: key, note: 'The cause is found; a test shows it.' })
  await call('close_task', { task: key, resolution: 'The cause is mended, and a test keeps it so.' })
  return results
}
