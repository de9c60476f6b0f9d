import { Ajv } from 'ajv'
import { testServer, type TestOptions, type TestServer } from '../../../test/runner/harness.ts'
import type { Harness } from '../contract.ts'

export const ENOUGH = ['workspace', 'agents', 'issues', 'claims', 'comments', 'hooks']
export type Event = 'session-start' | 'prompt' | 'stop'
export const EVENTS: readonly Event[] = ['session-start', 'prompt', 'stop']

export interface Clock {
  now(): Date
  pass(minutes: number): void
}
/** A clock that only the test moves. */
export function clock(): Clock {
  let time = Date.parse('2026-11-20T10:00:00.000Z')
  return {
    now: () => new Date(time),
    pass(minutes) {
      time += Math.round(minutes * 60_000)
    }
  }
}

/** A client's input at an event of the session `s1`. */
export function inputOf(harness: Harness, event: Event, session = 's1'): Record<string, unknown> {
  if (harness === 'cursor') {
    return {
      conversation_id: session,
      generation_id: 'g1',
      hook_event_name: event === 'stop' ? 'stop' : 'sessionStart',
      ...(event === 'stop' && { status: 'completed', loop_count: 0 })
    }
  }
  if (harness === 'gemini') {
    const names = { 'session-start': 'SessionStart', prompt: 'BeforeAgent', stop: 'AfterAgent' }
    return {
      session_id: session,
      transcript_path: '/tmp/session.json',
      cwd: '/repo',
      hook_event_name: names[event],
      timestamp: '2026-11-20T10:00:00.000Z',
      ...(event === 'session-start' && { source: 'startup' }),
      ...(event !== 'session-start' && { prompt: 'Go on.' }),
      ...(event === 'stop' && { prompt_response: 'Done.', stop_hook_active: false })
    }
  }
  return {
    session_id: session,
    transcript_path: null,
    cwd: '/repo',
    ...(harness === 'codex' && { turn_id: 't1', model: 'm' }),
    ...(event === 'session-start' && { hook_event_name: 'SessionStart', source: 'startup' }),
    ...(event === 'prompt' && { hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' }),
    ...(event === 'stop' && { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' })
  }
}

const closed = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})
const text = { type: 'string', minLength: 1, maxLength: 10_000 }
const context = (event: string) =>
  closed({ hookSpecificOutput: closed({ hookEventName: { const: event }, additionalContext: text }) })
const decisions = {
  'session-start': context('SessionStart'),
  prompt: context('UserPromptSubmit'),
  stop: closed({ decision: { const: 'block' }, reason: text })
}
/** The answers that the clients accept, with all their fields. */
const TAKEN: Record<Harness, Record<Event, object>> = {
  'claude-code': decisions,
  codex: decisions,
  cursor: {
    'session-start': closed({ additional_context: text }),
    prompt: closed({ additional_context: text }),
    stop: closed({ followup_message: text })
  },
  gemini: {
    'session-start': context('SessionStart'),
    prompt: context('BeforeAgent'),
    stop: closed({ decision: { const: 'deny' }, reason: text })
  }
}
const ajv = new Ajv()

/** The text that a client would read from an answer; undefined for `{}`. @throws Error when it would refuse it */
export function heard(harness: Harness, event: Event, answer: unknown): string | undefined {
  if (JSON.stringify(answer) === '{}') return undefined
  if (!ajv.validate(TAKEN[harness][event], answer)) {
    throw new Error(`${harness} refuses ${JSON.stringify(answer)} at ${event}: ${ajv.errorsText()}`)
  }
  return deepText(answer)
}
const deepText = (value: unknown): string =>
  typeof value === 'string' ? value : deepText(Object.values(value as object).at(-1))

export interface HookServer extends TestServer {
  clock: Clock
  /** Creates an agent that sends hooks and works on issues. */
  worker(name: string): Promise<Worker>
}
export interface Worker {
  token: string
  /** Sends a client's input, with changes, and returns the text of the answer. */
  hook(event: Event, input?: object, harness?: Harness): Promise<string | undefined>
  /** Creates an issue and picks it up; returns its key. */
  begin(title?: string, descriptionMarkdown?: string): Promise<string>
  note(key: string): Promise<unknown>
}

export const asWorker = (server: TestServer, token: string): Worker => ({
  token,
  async hook(event, input = {}, harness = 'claude-code') {
    return heard(
      harness,
      event,
      await server.ok(`/v1/agent-hooks/${event}?harness=${harness}`, {
        token,
        body: { ...inputOf(harness, event), ...input }
      })
    )
  },
  async begin(
    title = 'Mend the roof',
    descriptionMarkdown = 'It rains in.\n\n- [x] a ladder\n- [ ] no rain\n- [ ] a test'
  ) {
    const { key } = await server.ok<{ key: string }>('/v1/issues', {
      token,
      body: { teamId: 'ENG', title, descriptionMarkdown }
    })
    await server.ok(`/v1/issues/${key}/pick_up`, { token, body: {} })
    return key
  },
  note: key => server.ok(`/v1/issue_comments?issueId=${key}`, { token, body: { bodyMarkdown: 'Half of it is done.' } })
})

export async function hookServer(options: TestOptions = {}): Promise<HookServer> {
  const moved = clock()
  const server = await testServer({ plugins: ENOUGH, now: moved.now, ...options })
  const counts = new Map<string, number>()
  return {
    ...server,
    clock: moved,
    async worker(name) {
      const number = (counts.get(name) ?? 0) + 1
      counts.set(name, number)
      return asWorker(server, (await server.agent(number === 1 ? name : `${name} ${number}`)).token)
    }
  }
}
