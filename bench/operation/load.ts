import { setTimeout as sleep } from 'node:timers/promises'
import { openStream } from '../../test/event-stream.ts'
import { send, type Ledger } from './ledger.ts'

/** Milliseconds that people and agents think between two requests, at most. */
const THINK_MS = 3_000
/** New issues wait for the agents while no more than these are open. */
const MAX_OPEN = 200

/** Agents pick up only what is described, and has criteria. */
const DESCRIPTION =
  'Since the new writer, a column is empty in every export, and finance types it in by hand.\n\n' +
  '- [ ] the column is exported\n- [ ] a test exports it\n'

interface Options {
  url: string
  ledger: Ledger
  signal: AbortSignal
}

const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)]
const think = () => sleep(Math.random() * THINK_MS)

/** Reads boards and issues, searches, files, edits and comments. */
export async function workAsPerson({ url, ledger, signal }: Options, token: string, name: string): Promise<void> {
  const mine: string[] = []
  const request = <T>(path: string, body?: object) =>
    send<T>(ledger, { url: `${url}/v1${path}`, token, ...(body && { body }) })
  const actions: Array<() => Promise<unknown>> = [
    () => request('/issues/filter', { view: 'list', perPage: 50 }),
    () => request('/search?query=export%20loses%20dates'),
    async () => {
      const id = pick(mine)
      if (id !== undefined) await request(`/issues/${id}/context`)
    },
    async () => {
      if (ledger.titles.size - ledger.closed.size >= MAX_OPEN) return
      const title = `The export of ${name} loses column ${mine.length}`
      const issue = await request<{ id: string }>('/issues', { teamId: 'ENG', title, descriptionMarkdown: DESCRIPTION })
      if (issue === undefined) return
      mine.push(issue.id)
      ledger.titles.set(issue.id, title)
    },
    async () => {
      const id = pick(mine)
      if (id === undefined) return
      const title = `Renamed by ${name}, ${crypto.randomUUID()}`
      if (await request(`/issues/${id}`, { title })) ledger.titles.set(id, title)
      else ledger.uncertain.add(id)
    },
    async () => {
      const id = pick(mine)
      if (id === undefined) return
      const comment = await request<{ id: string }>(`/issue_comments?issueId=${id}`, { bodyMarkdown: `From ${name}.` })
      if (comment) ledger.comments.set(comment.id, id)
    }
  ]
  while (!signal.aborted) {
    await pick(actions)!()
    await think()
  }
}

interface ToolAnswer {
  result: { isError?: boolean; content: Array<{ text: string }>; structuredContent?: Record<string, unknown> }
}

/** Picks up the next issue over MCP, reads it, and closes it with evidence, again and again. */
export async function workAsAgent({ url, ledger, signal }: Options, token: string): Promise<void> {
  const call = async (name: string, args: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const answer = await send<ToolAnswer>(ledger, { url: `${url}/v1/mcp`, token, body })
    if (answer?.result.isError) ledger.count(`tool: ${answer.result.content[0]!.text.slice(0, 80)}`)
    return answer?.result.isError ? undefined : answer?.result.structuredContent
  }
  while (!signal.aborted) {
    await think()
    const task = await call('pick_up_task', { task: 'next' })
    if (task === undefined || task['task'] === 'none') continue
    const key = String(task['key'])
    await think()
    await call('get_task', { task: key })
    await think()
    const met = [1, 2].map(criterion => ({ criterion, evidence: `test/export.test.ts: criterion ${criterion}` }))
    const isClosed = await call('close_task', { task: key, met, resolution: 'The writer knows the column.' })
    if (isClosed) ledger.closed.add(key)
  }
}

/** Follows the event stream, again from where it ended. @returns the ids of the events, in their order */
export async function follow({ url, signal }: Options, token: string): Promise<string[]> {
  const ids: string[] = []
  let lastId: string | undefined
  while (!signal.aborted) {
    const headers = lastId === undefined ? undefined : { 'last-event-id': lastId }
    const stream = await openStream(url, token, { query: '?types=issue.created', ...(headers && { headers }) }).catch(
      () => undefined
    )
    if (stream === undefined) {
      await sleep(500)
      continue
    }
    const close = () => stream.close()
    signal.addEventListener('abort', close)
    await stream.ended
    signal.removeEventListener('abort', close)
    lastId = stream.lastId ?? lastId
    ids.push(...stream.received.map(({ event }) => event.issueId!))
  }
  return ids
}
