import { LRUCache } from 'lru-cache'
import type { STEP_TYPES } from '../contract.ts'
import { fieldsIn, listIn, parseJsonLine, stringIn, type Fields } from '../runner/json-line.ts'

/*
 * The steps in the streams of agents' clients, as their documentation and sources describe them: Claude Code
 * (`claude -p --verbose --output-format stream-json`), Codex (`codex exec --json`) and opencode
 * (`opencode run --format json`). Other lines, and lines that are not JSON, are no steps.
 */

export interface Step {
  type: (typeof STEP_TYPES)[number]
  name: string | null
  text: string
}

const EDITS = new Set(['edit', 'multiedit', 'write', 'notebookedit', 'patch'])
/** The fields of a tool's input that say most of it, the best first. */
const ARGUMENTS = [
  'command',
  'file_path',
  'filePath',
  'notebook_path',
  'path',
  'pattern',
  'url',
  'query',
  'task',
  'title',
  'description',
  'prompt'
]
/** Maximum calls that are remembered: the failures of others have no name. */
const MAX_CALLS = 1_000

type Calls = LRUCache<string, string>

/** @returns a function that returns the steps of a line; undefined if it is of no known stream */
export function makeStepReader(): (line: string) => Step[] | undefined {
  /** Names of tools by the ids of their calls, of Claude Code; ids of items whose beginning was a step, of Codex. */
  const calls: Calls = new LRUCache({ max: MAX_CALLS })
  return line => {
    const fields = parseJsonLine(line)
    if (fields === undefined) return undefined
    switch (fields['type']) {
      case 'system':
        return []
      case 'assistant':
        return contentOf(fields).flatMap(part => claudeSteps(part, calls))
      case 'user':
        return contentOf(fields).flatMap(part => claudeFailure(part, calls))
      case 'result':
        return claudeResult(fields)
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return codexSteps(fieldsIn(fields, 'item') ?? {}, fields['type'] === 'item.completed', calls)
      case 'thread.started':
      case 'turn.started':
      case 'turn.completed':
      case 'step_start':
      case 'step_finish':
        return []
      case 'turn.failed':
      case 'error':
        return [failure(null, errorIn(fields))]
      case 'text':
        return message(stringIn(fieldsIn(fields, 'part') ?? {}, 'text'))
      case 'tool_use':
        return opencodeSteps(fieldsIn(fields, 'part') ?? {})
      default:
        return undefined
    }
  }
}

const message = (text: string | undefined): Step[] =>
  text === undefined ? [] : [{ type: 'message', name: null, text }]
const failure = (name: string | null, text: string | undefined): Step => ({ type: 'failure', name, text: text ?? '' })

function tool(name: string, input: unknown): Step {
  const fields = fieldsIn({ input }, 'input')
  const argument = fields && ARGUMENTS.map(key => stringIn(fields, key)).find(value => value !== undefined)
  const text = argument ?? (fields ? textOf(fields) : '')
  return { type: EDITS.has(name.toLowerCase()) ? 'file' : 'tool', name, text }
}

/** Texts stay as they are, so that secrets in them are found. */
const textOf = (fields: Fields): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

const contentOf = (fields: Fields): Fields[] => listIn(fieldsIn(fields, 'message') ?? {}, 'content')

function claudeSteps(part: Fields, calls: Calls): Step[] {
  if (part['type'] === 'text') return message(stringIn(part, 'text'))
  const name = stringIn(part, 'name')
  if (part['type'] !== 'tool_use' || name === undefined) return []
  calls.set(stringIn(part, 'id') ?? '', name)
  return [tool(name, part['input'])]
}

function claudeFailure(part: Fields, calls: Calls): Step[] {
  if (part['type'] !== 'tool_result' || part['is_error'] !== true) return []
  const text =
    stringIn(part, 'content') ??
    listIn(part, 'content')
      .map(({ text }) => text)
      .join('\n')
  return [failure(calls.get(stringIn(part, 'tool_use_id') ?? '') ?? null, text)]
}

/** The result repeats the last message, unless there is none because of an error. */
const claudeResult = (fields: Fields): Step[] =>
  fields['is_error'] === true
    ? [failure(stringIn(fields, 'subtype') ?? null, stringIn(fields, 'result'))]
    : message(stringIn(fields, 'result'))

/** @param calls the items whose call is a step already */
function codexSteps(item: Fields, isCompleted: boolean, calls: Calls): Step[] {
  const id = stringIn(item, 'id') ?? ''
  const call = codexCall(item)
  if (call) {
    const isNew = !calls.has(id)
    calls.set(id, call.name ?? '')
    const exitCode = item['exit_code']
    const failed = isCompleted && (item['status'] === 'failed' || (typeof exitCode === 'number' && exitCode !== 0))
    const text = errorIn(item) ?? stringIn(item, 'aggregated_output')
    return [...(isNew ? [call] : []), ...(failed ? [failure(call.name, text)] : [])]
  }
  if (!isCompleted) return []
  switch (item['type'] ?? item['item_type']) {
    case 'agent_message':
    case 'assistant_message':
      return message(stringIn(item, 'text'))
    case 'file_change':
      return listIn(item, 'changes').map(change => ({
        type: 'file',
        name: stringIn(change, 'kind') ?? 'update',
        text: stringIn(change, 'path') ?? ''
      }))
    case 'error':
      return [failure(null, stringIn(item, 'message'))]
    default:
      return []
  }
}

function codexCall(item: Fields): Step | undefined {
  switch (item['type'] ?? item['item_type']) {
    case 'command_execution':
      return { type: 'tool', name: 'command', text: stringIn(item, 'command') ?? '' }
    case 'mcp_tool_call': {
      const name = [stringIn(item, 'server'), stringIn(item, 'tool')].filter(part => part !== undefined).join('.')
      return { ...tool(name, item['arguments']), type: 'tool' }
    }
    case 'web_search':
      return { type: 'tool', name: 'web_search', text: stringIn(item, 'query') ?? '' }
    default:
      return undefined
  }
}

/** A call of a tool comes when it is over. */
function opencodeSteps(part: Fields): Step[] {
  const name = stringIn(part, 'tool')
  if (name === undefined) return []
  const state = fieldsIn(part, 'state') ?? {}
  const failed = state['status'] === 'error' ? [failure(name, stringIn(state, 'error'))] : []
  return [tool(name, state['input']), ...failed]
}

/** `error` or `message`: text, or an object with a message. */
function errorIn(fields: Fields): string | undefined {
  const error = fieldsIn(fields, 'error') ?? {}
  const data = fieldsIn(error, 'data') ?? {}
  return (
    stringIn(data, 'message') ??
    stringIn(error, 'message') ??
    stringIn(error, 'name') ??
    stringIn(fields, 'error') ??
    stringIn(fields, 'message')
  )
}
