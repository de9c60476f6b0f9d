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
  ]
}
