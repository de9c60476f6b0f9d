import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, _made, text, n) {
    const { id } = await make('/v1/users/agents', { name: `Agent ${n} ${text}` })
    return { agent: [id] }
  },
  kinds: { agents: 'agent' },
  requests: async (_issue, _size, _server, { agent }) => [
    ['/v1/users/agents', {}],
    ['/v1/users/agents', { body: { name: `Another ${agent?.[0]?.slice(-8)}` } }],
    [`/v1/users/agents/${agent?.[0]}`, { body: { name: `Renamed ${agent?.[0]?.slice(-8)}` } }],
    [`/v1/users/agents/${agent?.[0]}/token`, { method: 'POST' }],
    [`/v1/users/agents/${agent?.[0]}`, { method: 'DELETE' }]
  ],
  events: [
    { route: 'POST /v1/users/agents', body: { name: 'Helper' }, types: ['account.created'] },
    { route: 'POST /v1/users/agents/{id}', body: { scopes: ['read'] }, types: ['account.updated'] },
    { route: 'POST /v1/users/agents/{id}/token', body: {}, types: ['account.token_rotated'] },
    { route: 'DELETE /v1/users/agents/{id}', types: ['account.deleted'] }
  ],
  withoutLocks: [
    'POST /v1/users/agents',
    'POST /v1/users/agents/{id}',
    'POST /v1/users/agents/{id}/token',
    'DELETE /v1/users/agents/{id}'
  ]
}
