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
  },
  events: [
    { route: 'POST /v1/webhooks', body: { url: 'https://example.org/', active: false }, types: ['webhook.created'] },
    { route: 'POST /v1/webhooks/{id}', body: { types: ['issue.*'] }, types: ['webhook.updated'] },
    { route: 'POST /v1/webhooks/{id}/rotate_secret', types: ['webhook.updated'] },
    { route: 'DELETE /v1/webhooks/{id}', types: ['webhook.deleted'] }
  ],
  withoutEvents: {
    'POST /v1/webhooks/{id}/test': 'an event for each delivery would be delivered again',
    'POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver': 'an event for each delivery would be delivered again'
  },
  withoutLocks: [
    'POST /v1/webhooks',
    'POST /v1/webhooks/{id}',
    'DELETE /v1/webhooks/{id}',
    'POST /v1/webhooks/{id}/rotate_secret',
    'POST /v1/webhooks/{id}/test',
    'POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver'
  ]
}
