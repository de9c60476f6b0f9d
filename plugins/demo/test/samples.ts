import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  requests: async () => [['/v1/demo', {}]],
  withoutEvents: {
    'POST /v1/demo': 'what it makes is another workspace',
    'POST /v1/demo/leave': 'sessions are shown by no route',
    'DELETE /v1/demo': 'the log of a workspace goes with it'
  },
  withoutLocks: ['POST /v1/demo', 'POST /v1/demo/leave', 'DELETE /v1/demo'],
  notCounted: {
    'POST /v1/demo': 'makes a whole workspace, always the same',
    'POST /v1/demo/leave': 'needs the session of a sample board, see plugins/demo/test',
    'DELETE /v1/demo': 'removes a whole workspace, one table after another'
  }
}
