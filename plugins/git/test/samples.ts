import type { Samples } from '../../../test/samples.ts'
import { delivery, pullRequest, REPOSITORY, type TestHook } from './deliveries.ts'

export const samples: Samples = {
  async fill(make) {
    const { id } = await make('/v1/git/hooks', { repository: REPOSITORY })
    return { gitHook: [id] }
  },
  kinds: { hooks: 'gitHook', hook: 'gitHook' },
  async requests({ key }, _size, server, { gitHook }) {
    const hook = await server.ok<TestHook>('/v1/git/hooks', { body: { repository: REPOSITORY } })
    return [
      ['/v1/git/hooks', {}],
      ['/v1/git/hooks', { body: { repository: REPOSITORY } }],
      delivery(hook, 'pull_request', pullRequest({ title: `Fixes ${key}` })),
      [`/v1/git/hooks/${gitHook?.[0]}/rotate_secret`, { method: 'POST' }],
      [`/v1/git/hooks/${gitHook?.[0]}`, { method: 'DELETE' }]
    ]
  }
}
