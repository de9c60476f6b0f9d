import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, _made, text) {
    const { id } = await make('/v1/users/agents', { name: `Agent ${text}` })
    return { agent: [id] }
  },
  kinds: { agents: 'agent' },
  requests: async () => [['/v1/users/agents', {}]]
}
