import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  requests: async () =>
    ['session-start', 'prompt', 'stop'].map(event => [`/v1/agent-hooks/${event}?harness=codex`, { body: {} }])
}
