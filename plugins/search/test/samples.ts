import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  requests: async ({ key }) => [
    ['/v1/search?query=issue', {}],
    [`/v1/search/similar_issues?issueId=${key}`, {}]
  ],
  openToRuns: {
    'GET /v1/search': 'how others were solved is needed for the work',
    'GET /v1/search/similar_issues': 'how others were solved is needed for the work'
  }
}
