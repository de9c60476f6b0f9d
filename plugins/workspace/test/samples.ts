import type { Samples } from '../../../test/samples.ts'
import type { WorkspaceServices } from '../contract.ts'

export const samples: Samples = {
  async fill(make, _made, text, n) {
    const team = await make('/v1/teams', { identifier: `T${n}`, name: `Team ${n} ${text}` })
    const state = await make(`/v1/${team.id}/workflows`, { name: `State ${text}`, category: 'STARTED' })
    const unused = await make(`/v1/${team.id}/workflows`, { name: `Unused ${text}`, category: 'STARTED' })
    const label = await make('/v1/labels', { name: `Label ${n} ${text}` })
    const person = await make('/v1/users', {
      email: `person-${n}@${text}.example`,
      fullname: `Person ${n} ${text}`,
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
  async requests(_issue, _size, server, { team, state, label, person, token }) {
    const unused = `U${team?.[1]}`
    const { workspace } = await server.ok<{ workspace: { id: string } }>('/v1/users/me')
    const { addPerson } = server.container.resolve<WorkspaceServices>('workspace')
    const caller = { workspaceId: workspace.id, accountId: null, tokenId: null, scopes: [] }
    const withoutToken = await server.database.db
      .transaction()
      .execute(trx => addPerson(caller, trx, { email: `new-${unused}@example.org`, fullname: 'New' }))
    await server.ok('/v1/teams', { body: { identifier: unused, name: unused } })
    return [
      ['/v1/workspace', {}],
      ['/v1/users/me', {}],
      ['/v1/users', {}],
      ['/v1/users', { body: { email: `${unused}@example.org`, fullname: unused } }],
      [`/v1/users/${person?.[0]}`, { body: { fullname: `Renamed ${unused}` } }],
      [`/v1/users/${withoutToken}/token`, { method: 'POST' }],
      [`/v1/users/${person?.[0]}`, { method: 'DELETE' }],
      ['/v1/users/pats', {}],
      ['/v1/users/pat', { body: { name: 'Another' } }],
      [`/v1/users/pats/${token?.[0]}`, { method: 'DELETE' }],
      ['/v1/teams', {}],
      [`/v1/teams/${unused}`, {}],
      ['/v1/teams', { body: { identifier: `V${team?.[1]}`, name: `After ${unused}` } }],
      [`/v1/teams/${unused}`, { body: { name: `Renamed ${unused}` } }],
      [`/v1/teams/${unused}`, { method: 'DELETE' }],
      ['/v1/ENG/workflows', {}],
      ['/v1/ENG/workflows', { body: { name: unused, category: 'BACKLOG' } }],
      [`/v1/${team?.[0]}/workflows/${state?.[0]}`, { body: { category: 'UNSTARTED' } }],
      [`/v1/${team?.[0]}/workflows/${state?.[1]}`, { method: 'DELETE' }],
      ['/v1/labels', {}],
      [`/v1/labels/${label?.[0]}`, {}],
      ['/v1/labels', { body: { name: unused } }],
      [`/v1/labels/${label?.[0]}`, { body: { color: '#123456' } }],
      [`/v1/labels/${label?.[0]}`, { method: 'DELETE' }]
    ]
  }
}
