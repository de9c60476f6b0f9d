import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  requests: async () => [
    ['/v1/trash', {}],
    ['/v1/trash?limit=1', {}]
  ]
}
