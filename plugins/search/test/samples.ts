import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  requests: async ({ key }) => [
    ['/v1/search?query=issue', {}],
    [`/v1/search/similar_issues?issueId=${key}`, {}]
  ]
}
