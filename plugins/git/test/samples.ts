import type { Samples } from '../../../test/samples.ts'
import { REPOSITORY } from './deliveries.ts'

export const samples: Samples = {
  async fill(make) {
    const { id } = await make('/v1/git/hooks', { repository: REPOSITORY })
    return { gitHook: [id] }
  },
  kinds: { hooks: 'gitHook', hook: 'gitHook' },
  requests: async () => [['/v1/git/hooks', {}]]
}
