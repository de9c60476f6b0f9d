import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { anthropic } from './anthropic.ts'
import { LOOK_UP, type Conversation, type Json, type OfferedTool, type Protocol, type Reply } from './conversation.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

/** A call that the model makes: of the first of these tools that the client offers. */
export interface PlannedCall {
  tools: readonly string[]
  args: object | ((tool: string) => object)
}

export interface FakeModel {
  url: string
  /** The calls of the conversations from now on; forgets the results. */
  follow(plan: readonly PlannedCall[]): void
  /** The results that the client has sent for them. */
  results(): readonly string[]
  /** Errors of requests that were not answered. */
  problems(): readonly string[]
  close(): void
}

const PROTOCOLS: readonly Protocol[] = [anthropic, openaiResponses, openaiChat, gemini]
const DONE = 'The task is done.'

/**
 * A model that makes planned calls, one with each answer. Which one is next follows from what the client sends, so
 * that a request that is sent again gets the same answer.
 */
export async function startFakeModel(): Promise<FakeModel> {
  let plan: readonly PlannedCall[] = []
  let results: readonly string[] = []
  let problems: string[] = []

  function reply({ tools, results: now }: Conversation): Reply {
    // Clients also ask for titles and summaries, without tools.
    if (!plan.some(call => find(tools, call) !== undefined)) return { text: 'ok' }
    if (now.length > results.length) results = now
    const next = plan[now.length]
    if (next === undefined) return { text: DONE }
    const call = find(tools, next)
    if (call === undefined) {
      problems.push(`no tool ${next.tools.join(' or ')} among ${tools.map(({ name }) => name).join(', ')}`)
      return { text: 'A tool is missing.' }
    }
    if (call.lookUpWith !== undefined) {
      const names = plan.map(each => find(tools, each)?.name)
      return { call: { name: call.lookUpWith }, args: { query: `select:${names.join()}` }, id: LOOK_UP }
    }
    const args = typeof next.args === 'function' ? next.args(call.name) : next.args
    return { call, args, id: `${now.length + 1}` }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://model').pathname
    const protocol = PROTOCOLS.find(each => each.path.test(path))
    if (request.method !== 'POST' || !protocol) return sendOther(request, response, path)
    const conversation = protocol.read(JSON.parse(await text(request)) as Json, path)
    const replied = reply(conversation)
    if (!conversation.isStreamed) return sendJson(response, protocol.document(replied))
    sendEvents(response, protocol.events(replied))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      problems.push(error.message)
      response.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    follow(calls) {
      plan = calls
      results = []
      problems = []
    },
    results: () => results,
    problems: () => problems,
    close() {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Clients put the server's name before a tool's, each in its own way. */
const find = (offered: readonly OfferedTool[], { tools }: PlannedCall): OfferedTool | undefined =>
  tools
    .map(tool => offered.find(({ name }) => name === tool || name.endsWith(`_${tool}`)))
    .find(offer => offer !== undefined)

function sendOther(request: IncomingMessage, response: ServerResponse, path: string): void {
  request.resume()
  if (path.endsWith('/count_tokens')) return sendJson(response, { input_tokens: 100 })
  if (path.endsWith(':countTokens')) return sendJson(response, { totalTokens: 100 })
  if (path === '/v1/models') return sendJson(response, { object: 'list', data: [], models: [] })
  response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not here"}}')
}

function sendEvents(response: ServerResponse, events: ReturnType<Protocol['events']>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const { event, data } of events) {
    if (event !== undefined) response.write(`event: ${event}\n`)
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  response.end()
}

const sendJson = (response: ServerResponse, body: Json): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
