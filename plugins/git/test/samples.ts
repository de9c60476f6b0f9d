import type { Samples } from '../../../test/samples.ts'
import { delivery, pullRequest, REPOSITORY, type TestHook } from './deliveries.ts'

const merged = (body: string) => pullRequest({ body, merged: true }, 'closed')

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
  },
  events: [
    {
      route: 'POST /v1/git/hooks',
      body: { repository: REPOSITORY },
      types: ['account.created', 'git_hook.created'],
      keep: { hookId: 'id' }
    },
    { route: 'POST /v1/git/hooks/{id}/rotate_secret', types: ['git_hook.updated'], keep: { secret: 'secret' } },
    {
      route: 'POST /v1/git/github/{hookId}',
      call: ({ hookId, secret, otherKey }) =>
        delivery({ id: hookId!, secret: secret! }, 'pull_request', merged(`Closes ${otherKey}`))[1],
      types: ['comment.created', 'issue.updated']
    },
    { route: 'DELETE /v1/git/hooks/{id}', types: ['git_hook.deleted'] }
  ],
  async lockRecords(make, { hookId, hookSecret }) {
    if (hookId && hookSecret) return {} // One for all.
    const { id, secret } = await make('/v1/git/hooks', { repository: REPOSITORY })
    return { hookId: id, hookSecret: secret! }
  },
  locks: {
    'POST /v1/git/github/{hookId}': [
      ({ issueKey, otherKey, hookId, hookSecret }, n) =>
        delivery(
          { id: hookId!, secret: hookSecret! },
          'pull_request',
          merged(`Closes ${n % 2 ? `${issueKey}, ${otherKey}` : `${otherKey}, ${issueKey}`}`)
        )
    ]
  },
  withoutLocks: ['POST /v1/git/hooks', 'POST /v1/git/hooks/{id}/rotate_secret', 'DELETE /v1/git/hooks/{id}'],
  moreStatements: { 'POST /v1/git/github/{hookId}': 1 }
}
