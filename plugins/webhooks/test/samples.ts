import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, _made, text, n) {
    const { id } = await make('/v1/webhooks', { url: `https://${text}-${n}.example/`, active: false })
    return { webhook: [id] }
  },
  kinds: { webhooks: 'webhook' },
  async requests(_issue, _size, server, { webhook }) {
    const active = await server.ok<{ id: string }>('/v1/webhooks', { body: { url: 'https://hooks.example/' } })
    const delivery = await server.ok<{ id: string }>(`/v1/webhooks/${active.id}/test`, { body: {} })
    return [
      ['/v1/webhooks', {}],
      [`/v1/webhooks/${active.id}`, {}],
      ['/v1/webhooks', { body: { url: 'https://hooks.example/', active: false } }],
      [`/v1/webhooks/${active.id}/test`, { body: {} }],
      [`/v1/webhooks/${active.id}/deliveries`, {}],
      [`/v1/webhooks/${active.id}/deliveries/${delivery.id}/redeliver`, { body: {} }],
      [`/v1/webhooks/${active.id}`, { body: { active: false } }],
      [`/v1/webhooks/${active.id}/rotate_secret`, { method: 'POST' }],
      [`/v1/webhooks/${webhook?.[0]}`, { method: 'DELETE' }]
    ]
  }
}
