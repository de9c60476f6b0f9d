import { objectsIn, textOf, USAGE, type Json, type Protocol, type Reply } from './conversation.ts'

/** Google's generateContent: Gemini CLI. */
export const gemini: Protocol = {
  path: /^\/v1beta\/models\/[^/:]+:(?:streamG|g)enerateContent$/,
  read: (body, path) => ({
    tools: objectsIn(body['tools']).flatMap(({ functionDeclarations }) =>
      objectsIn(functionDeclarations).map(({ name }) => ({ name: textOf(name) }))
    ),
    results: objectsIn(body['contents'])
      .flatMap(({ parts }) => objectsIn(parts))
      .flatMap(({ functionResponse }) => (functionResponse ? [textOf((functionResponse as Json)['response'])] : [])),
    isStreamed: path.endsWith(':streamGenerateContent')
  }),
  document: reply => answer(reply),
  events: reply => [{ data: answer(reply) }]
}

const answer = (reply: Reply): Json => ({
  candidates: [
    {
      index: 0,
      content: {
        role: 'model',
        parts: [
          'call' in reply
            ? { functionCall: { id: reply.id, name: reply.call.name, args: reply.args } }
            : { text: reply.text }
        ]
      },
      finishReason: 'STOP'
    }
  ],
  usageMetadata: {
    promptTokenCount: USAGE.input,
    candidatesTokenCount: USAGE.output,
    totalTokenCount: USAGE.input + USAGE.output
  }
})
