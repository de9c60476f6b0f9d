import type { Samples } from '../../../test/samples.ts'

const EVENTS = ['session-start', 'prompt', 'stop']

export const samples: Samples = {
  requests: async ({ key }) => [
    [`/v1/issues/${key}/reminders`, {}],
    ...EVENTS.map((event): [string, object] => [`/v1/agent-hooks/${event}?harness=codex`, { body: {} }])
  ]
}
