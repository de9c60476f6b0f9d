import { createHash } from 'node:crypto'
import type { Samples } from '../../../test/samples.ts'
import { approved, begin, exchange, REDIRECT, register } from './client.ts'

export const samples: Samples = {
  async fill(make, _made, text, n) {
    const client: object = await make('/v1/oauth/register', { client_name: text, redirect_uris: [REDIRECT] })
    const { query } = begin('client_id' in client ? String(client.client_id) : '')
    const newAgent = `Client ${n} ${text}`
    const consent: object = await make('/v1/oauth/consent', { query, isApproved: true, newAgent, scopes: ['read'] })
    return { grant: 'grantId' in consent ? [String(consent.grantId)] : [] }
  },
  kinds: { grants: 'grant' },
  async requests(_issue, _size, server) {
    const clientId = await register(server)
    const query = begin(clientId).query
    const flow = begin(clientId)
    const name = createHash('sha256').update(flow.verifier).digest('hex').slice(0, 12)
    await exchange(server, flow, await approved(server, flow, { newAgent: `Client ${name}` }))
    const [own] = await server.ok<Array<{ id: string }>>('/v1/oauth/grants')
    const agent = await server.agent(`Connectable ${name}`)
    return [
      [`/v1/oauth/consent?query=${encodeURIComponent(query)}`, {}],
      ['/v1/oauth/consent', { body: { query, isApproved: true, newAgent: `Client of ${name}`, scopes: ['read'] } }],
      ['/v1/oauth/grants', {}],
      ['/v1/oauth/agents', {}],
      [`/v1/oauth/agents/${agent.id}`, { body: { connectableBy: [] } }],
      [`/v1/oauth/grants/${own!.id}`, { method: 'DELETE' }]
    ]
  },
  events: [
    {
      route: 'POST /v1/oauth/agents/{id}',
      prepare: server => server.agent('Connectable'),
      body: { connectableBy: [] },
      types: ['account.created', 'connectors.changed']
    },
    {
      route: 'DELETE /v1/oauth/grants/{id}',
      async prepare(server) {
        const flow = begin(await register(server))
        await exchange(server, flow, await approved(server, flow, { newAgent: 'To disconnect' }))
        const [grant] = await server.ok<Array<{ id: string }>>('/v1/oauth/grants')
        return grant!
      },
      types: ['account.created', 'grant.created', 'grant.revoked']
    }
  ],
  withoutEvents: { 'POST /v1/oauth/consent': 'needs a registered client, see plugins/oauth/test' },
  withoutLocks: ['POST /v1/oauth/consent', 'POST /v1/oauth/agents/{id}', 'DELETE /v1/oauth/grants/{id}']
}
