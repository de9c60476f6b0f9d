import { randomUUID } from 'node:crypto'
import type { TestServer } from '../../../test/runner/harness.ts'
import { post, remove, type Samples } from '../../../test/samples.ts'
import type { WorkspaceServices } from '../contract.ts'

/** A person of an import, who cannot sign in. */
async function importedPerson({ database: { db } }: TestServer): Promise<{ id: string }> {
  const { id: workspaceId } = await db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  return db
    .insertInto('account')
    .values({
      workspaceId,
      id: randomUUID(),
      kind: 'PERSON',
      fullname: 'Cas',
      email: 'cas@example.org',
      role: 'MEMBER',
      scopes: null,
      createdById: null
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

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
      [`/v1/labels/${label?.[0]}`, { method: 'DELETE' }],
      [`/v1/labels/${label?.[0]}/restore`, { method: 'POST' }],
      [`/v1/labels/${label?.[0]}?permanently=true`, { method: 'DELETE' }]
    ]
  },
  events: [
    {
      route: 'POST /v1/teams',
      body: { identifier: 'OPS', name: 'Operations' },
      types: ['team.created'],
      keep: { teamId: 'id' }
    },
    { route: 'POST /v1/teams/{teamId}', body: { name: 'Ops' }, types: ['team.updated'] },
    {
      route: 'POST /v1/{teamId}/workflows',
      body: { name: 'Waiting', category: 'UNSTARTED' },
      types: ['state.created']
    },
    { route: 'POST /v1/{teamId}/workflows/{id}', body: { name: 'Parked' }, types: ['state.updated'] },
    { route: 'DELETE /v1/{teamId}/workflows/{id}', types: ['state.deleted'] },
    { route: 'DELETE /v1/teams/{teamId}', types: ['team.deleted'] },
    { route: 'POST /v1/labels', body: { name: 'Urgent' }, types: ['label.created'] },
    { route: 'POST /v1/labels/{id}', body: { name: 'Hot' }, types: ['label.updated'] },
    { route: 'DELETE /v1/labels/{id}', types: ['label.deleted'] },
    { route: 'POST /v1/labels/{id}/restore', types: ['label.updated'] },
    {
      route: 'POST /v1/users',
      body: { email: 'bea@example.org', fullname: 'Bea' },
      types: ['account.created']
    },
    { route: 'POST /v1/users/{id}', body: { fullname: 'Bea B.' }, types: ['account.updated'] },
    { route: 'DELETE /v1/users/{id}', types: ['account.deleted'] },
    { route: 'POST /v1/users/{id}/token', prepare: importedPerson, types: ['token.created'] },
    { route: 'POST /v1/users/pat', body: { name: 'Script' }, types: ['token.created'], keep: { patId: 'id' } },
    { route: 'DELETE /v1/users/pats/{patId}', types: ['token.revoked'] }
  ],
  lockRecords: async (make, _ids, n) => ({ label: (await make('/v1/labels', { name: `Locked ${n}` })).id }),
  locks: {
    'DELETE /v1/labels/{id}': [({ label }) => [`/v1/labels/${label}`, remove]],
    'POST /v1/labels/{id}/restore': [({ label }) => [`/v1/labels/${label}/restore`, post({})]],
    'POST /v1/{teamId}/workflows/{id}': [
      ({ inReview }, n) => [`/v1/ENG/workflows/${inReview}`, post({ category: n % 2 ? 'COMPLETED' : 'STARTED' })]
    ],
    'DELETE /v1/{teamId}/workflows/{id}': [({ inReview }) => [`/v1/ENG/workflows/${inReview}`, remove]],
    'DELETE /v1/teams/{teamId}': [() => ['/v1/teams/ENG', remove]]
  },
  withoutLocks: [
    'POST /v1/users',
    'POST /v1/users/{id}',
    'DELETE /v1/users/{id}',
    'POST /v1/users/{id}/token',
    'POST /v1/users/pat',
    'DELETE /v1/users/pats/{patId}',
    'POST /v1/teams',
    'POST /v1/{teamId}/workflows',
    'POST /v1/labels',
    'POST /v1/labels/{id}'
  ],
  moreStatements: { 'DELETE /v1/teams/{teamId}': 4, 'POST /v1/{teamId}/workflows/{id}': 1 },
  openToRuns: {
    'GET /v1/users/me': 'issues and tools name them',
    'GET /v1/users': 'issues and tools name them',
    'GET /v1/workspace': 'issues and tools name them',
    'GET /v1/teams': 'issues and tools name them',
    'GET /v1/teams/{teamId}': 'issues and tools name them',
    'GET /v1/{teamId}/workflows': 'issues and tools name them',
    'GET /v1/labels': 'issues and tools name them',
    'GET /v1/labels/{id}': 'issues and tools name them'
  }
}
