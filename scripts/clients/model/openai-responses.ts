import { objectsIn, textOf, USAGE, type Json, type OfferedTool, type Protocol, type Reply } from './conversation.ts'

/** OpenAI's Responses: Codex. */
export const openaiResponses: Protocol = {
  path: /^\/v1\/responses$/,
  read: body => ({
    tools: objectsIn(body['tools']).flatMap(offered),
    results: objectsIn(body['input'])
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => textOf(output)),
    isStreamed: body['stream'] === true
  }),
  document: reply => ({ ...response(), output: [item(reply)] }),
  events: reply => [
    { event: 'response.created', data: { type: 'response.created', response: { id: 'resp_1' } } },
    {
      event: 'response.output_item.done',
      data: { type: 'response.output_item.done', output_index: 0, item: item(reply) }
    },
    { event: 'response.completed', data: { type: 'response.completed', response: response() } }
  ]
}

function offered(tool: Json): OfferedTool[] {
  const name = textOf(tool['name'])
  if (tool['type'] !== 'namespace') return [{ name }]
  return objectsIn(tool['tools']).map(inner => ({ name: textOf(inner['name']), namespace: name }))
}

const item = (reply: Reply): Json =>
  'call' in reply
    ? {
        type: 'function_call',
        id: `fc_${reply.id}`,
        call_id: `call_${reply.id}`,
        name: reply.call.name,
        ...(reply.call.namespace !== undefined && { namespace: reply.call.namespace }),
        arguments: JSON.stringify(reply.args),
        status: 'completed'
      }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: reply.text, annotations: [] }]
      }
const response = (): Json => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  usage: {
    input_tokens: USAGE.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: USAGE.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: USAGE.input + USAGE.output
  }
})
