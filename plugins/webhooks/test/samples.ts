import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, _made, text, n) {
    const { id } = await make('/v1/webhooks', { url: `https://${text}-${n}.example/`, active: false })
    return { webhook: [id] }
  },
  kinds: { webhooks: 'webhook' },
  requests: async () => [['/v1/webhooks', {}]]
}
