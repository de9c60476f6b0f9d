import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, _made, text, n) {
    const team = await make('/v1/teams', { identifier: `T${n}`, name: `Team ${n} ${text}` })
    const state = await make(`/v1/${team.id}/workflows`, { name: `State ${text}`, category: 'STARTED' })
    const unused = await make(`/v1/${team.id}/workflows`, { name: `Unused ${text}`, category: 'STARTED' })
    const label = await make('/v1/labels', { name: `Label ${n} ${text}` })
    const person = await make('/v1/users', {
      email: `person-${n}@${text}.example`,
      fullname: `Person ${text}`,
      role: 'MEMBER'
    })
    const token = await make('/v1/users/pat', { name: `Token ${text}` })
    return {
      team: [team.id, `T${n}`],
      state: [state.id, unused.id],
      label: [label.id],
      person: [person.id],
      token: [token.id]
    }
  },
  kinds: {
    users: 'person',
    assignee: 'person',
    teams: 'team',
    workflows: 'state',
    labels: 'label',
    addLabel: 'label',
    removeLabel: 'label',
    pat: 'token'
  },
  requests: async () =>
    [
      '/v1/users/me',
      '/v1/users',
      '/v1/users/pats',
      '/v1/teams',
      '/v1/ENG/workflows',
      '/v1/labels',
      '/v1/workspace'
    ].map(path => [path, {}])
}
