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
  requests: async () => [['/v1/oidc/identities', {}]]
}
