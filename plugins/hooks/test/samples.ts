import { post, type Samples } from '../../../test/samples.ts'

const EVENTS = ['session-start', 'prompt', 'stop']

export const samples: Samples = {
  requests: async ({ key }) => [
    [`/v1/issues/${key}/reminders`, {}],
    ['/v1/connect', {}],
    ['/v1/connect/codex.sh', {}],
    ...EVENTS.map((event): [string, object] => [`/v1/agent-hooks/${event}?harness=codex`, { body: {} }])
  ],
  withoutEvents: Object.fromEntries(
    EVENTS.map(event => [`POST /v1/agent-hooks/${event}`, 'the sessions of hooks are shown by no route'])
  ),
  locks: Object.fromEntries(
    EVENTS.map(event => [
      `POST /v1/agent-hooks/${event}`,
      [({ issue }, n) => [`/v1/agent-hooks/${event}?harness=codex`, post({ session_id: `${issue}-${n % 2}` })]]
    ])
  )
}
