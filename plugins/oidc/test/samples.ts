import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, made, text, n) {
    const accountId = made['person']![0]!
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
  }
}
