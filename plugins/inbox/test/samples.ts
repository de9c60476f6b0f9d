import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  requests: async ({ key }) => [
    ['/v1/inbox', {}],
    ['/v1/inbox/read', { body: { before: new Date().toISOString() } }],
    [`/v1/issues/${key}/watch`, {}],
    [`/v1/issues/${key}/watch`, { method: 'POST' }],
    [`/v1/issues/${key}/watch`, { method: 'DELETE' }]
  ]
}
