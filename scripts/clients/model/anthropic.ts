import {
  LOOK_UP,
  objectsIn,
  textOf,
  USAGE,
  type Json,
  type OfferedTool,
  type Protocol,
  type Reply
} from './conversation.ts'

/** Anthropic's Messages: Claude Code. */
export const anthropic: Protocol = {
  path: /^\/v1\/messages$/,
  read: body => ({
    tools: offered(body),
    results: objectsIn(body['messages'])
      .flatMap(({ content }) => objectsIn(content))
      .filter(({ type, tool_use_id: id }) => type === 'tool_result' && id !== `toolu_${LOOK_UP}`)
      .map(({ content }) => textOf(content)),
    isStreamed: body['stream'] === true
  }),
  document: reply => ({ ...message(), content: [block(reply)], stop_reason: stopReason(reply) }),
  events(reply) {
    const isCall = 'call' in reply
    const empty = isCall ? { ...block(reply), input: {} } : { type: 'text', text: '' }
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(reply.args) }
      : { type: 'text_delta', text: reply.text }
    const events: Json[] = [
      { type: 'message_start', message: { ...message(), content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: { output_tokens: USAGE.output }
      },
      { type: 'message_stop' }
    ]
    return events.map(data => ({ event: String(data['type']), data }))
  }
}

/** Claude Code names the tools of MCP servers in a message, and offers those that `ToolSearch` has found. */
function offered(body: Json): OfferedTool[] {
  const tools: OfferedTool[] = objectsIn(body['tools']).map(({ name }) => ({ name: textOf(name) }))
  if (!tools.some(({ name }) => name === 'ToolSearch')) return tools
  const named = new Set(textOf(body['messages']).match(/mcp__[a-z_]+/g))
  return [...tools, ...[...named].map(name => ({ name, lookUpWith: 'ToolSearch' }))]
}

const stopReason = (reply: Reply) => ('call' in reply ? 'tool_use' : 'end_turn')
const block = (reply: Reply): Json =>
  'call' in reply
    ? { type: 'tool_use', id: `toolu_${reply.id}`, name: reply.call.name, input: reply.args }
    : { type: 'text', text: reply.text }
const message = (): Json => ({
  id: `msg_${crypto.randomUUID()}`,
  type: 'message',
  role: 'assistant',
  model: 'fake-model',
  stop_sequence: null,
  usage: {
    input_tokens: USAGE.input,
    output_tokens: USAGE.output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0
  }
})
