import { objectsIn, textOf, USAGE, type Json, type Protocol, type Reply } from './conversation.ts'

/** OpenAI's Chat Completions: opencode, with its provider for compatible servers. */
export const openaiChat: Protocol = {
  path: /^\/v1\/chat\/completions$/,
  read: body => ({
    tools: objectsIn(body['tools']).map(tool => ({ name: textOf((tool['function'] as Json | undefined)?.['name']) })),
    results: objectsIn(body['messages'])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textOf(content)),
    isStreamed: body['stream'] === true
  }),
  document: reply => ({
    ...completion('chat.completion'),
    choices: [{ index: 0, message: message(reply), finish_reason: finishReason(reply) }]
  }),
  events: reply => [
    { data: { ...completion('chat.completion.chunk'), choices: [{ index: 0, delta: message(reply) }] } },
    {
      data: {
        ...completion('chat.completion.chunk'),
        choices: [{ index: 0, delta: {}, finish_reason: finishReason(reply) }]
      }
    },
    { data: '[DONE]' }
  ]
}

const finishReason = (reply: Reply) => ('call' in reply ? 'tool_calls' : 'stop')
const message = (reply: Reply): Json =>
  'call' in reply
    ? {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            index: 0,
            id: `call_${reply.id}`,
            type: 'function',
            function: { name: reply.call.name, arguments: JSON.stringify(reply.args) }
          }
        ]
      }
    : { role: 'assistant', content: reply.text }
const completion = (object: string): Json => ({
  id: 'chatcmpl_1',
  object,
  created: 0,
  model: 'fake-model',
  usage: {
    prompt_tokens: USAGE.input,
    completion_tokens: USAGE.output,
    total_tokens: USAGE.input + USAGE.output
  }
})
