import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  requests: async () => [
    ['/v1/insights?by=agent', {}],
    ['/v1/insights/issues?figure=completed', {}]
  ],
  // One for each measure.
  moreStatements: { 'GET /v1/insights': 6 }
}
