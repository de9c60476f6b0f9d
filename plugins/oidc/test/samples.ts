import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, records, text, n) {
    const accountId = records['person']![0]!
    const { id } = await make('/v1/oidc/identities', {
      accountId,
      issuer: 'https://login.example',
      subject: `${text}-${n}`
    })
    return { identity: [id] }
  },
  kinds: { identities: 'identity', account: 'person' },
  async requests({ key }, _size, server, { identity }) {
    const { id: accountId } = await server.ok<{ id: string }>('/v1/users/me')
    return [
      ['/v1/oidc/identities', {}],
      ['/v1/oidc/identities', { body: { accountId, issuer: 'https://login.example', subject: key } }],
      [`/v1/oidc/identities/${identity?.[0]}`, { method: 'DELETE' }]
    ]
  },
  events: [
    {
      route: 'POST /v1/oidc/identities',
      prepare: server => server.ok('/v1/users/me'),
      body: ({ id: accountId }) => ({ accountId, issuer: 'https://login.example.org', subject: 'cas' }),
      types: ['identity.linked']
    },
    { route: 'DELETE /v1/oidc/identities/{id}', types: ['identity.unlinked'] }
  ],
  withoutEvents: {
    'POST /v1/oidc/sign_in': 'nobody is signed in yet',
    'POST /v1/oidc/link': 'needs an answer of a provider, see plugins/oidc/test',
    'POST /v1/oidc/choose': 'needs an answer of a provider, see plugins/oidc/test'
  },
  withoutLocks: [
    'POST /v1/oidc/sign_in',
    'POST /v1/oidc/link',
    'POST /v1/oidc/choose',
    'POST /v1/oidc/identities',
    'DELETE /v1/oidc/identities/{id}'
  ],
  withoutQueries: ['/v1/oidc', '/v1/oidc/choice'],
  notCounted: {
    'POST /v1/oidc/sign_in': 'asks the provider',
    'POST /v1/oidc/link': 'asks the provider',
    'POST /v1/oidc/choose': 'needs an identity that a provider has proven, see plugins/oidc/test'
  }
}
