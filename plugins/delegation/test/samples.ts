import { bound, post, type Samples } from '../../../test/samples.ts'
import { readyIssue } from './helpers.ts'

export const samples: Samples = {
  async requests(_issue, _size, server) {
    const [first, second] = [await readyIssue(server), await readyIssue(server)]
    const { id } = await server.ok<{ id: string }>('/v1/agent_runs', { body: { issueId: first.key } })
    return [
      ['/v1/agent_runs', { body: { issueId: second.key } }],
      ['/v1/agent_runs', {}],
      [`/v1/agent_runs/${id}`, {}],
      [`/v1/agent_runs/${id}/events`, {}],
      [`/v1/agent_runs/${id}/steps`, {}],
      [`/v1/agent_runs/${id}/cancel`, { body: {} }]
    ]
  },
  events: [
    {
      route: 'POST /v1/agent_runs',
      body: ({ issueId }) => ({ issueId }),
      types: ['account.created', 'run.requested']
    },
    { route: 'POST /v1/agent_runs/{id}/cancel', body: {}, types: ['run.finished'] }
  ],
  lockRecords: async (make, { other }) => ({ run: (await make('/v1/agent_runs', { issueId: other })).id }),
  locks: {
    'POST /v1/agent_runs': [({ issue }) => ['/v1/agent_runs', post({ issueId: issue })]],
    'POST /v1/agent_runs/{id}/cancel': [({ run }) => [`/v1/agent_runs/${run}/cancel`, post({})]]
  },
  moreStatements: { 'POST /v1/agent_runs': 2, delegate_task: 6 },
  boundToRuns: {
    'POST /v1/agent_runs': {
      outside: ({ foreign, sub }) => [foreign, sub].map(issueId => ({ path: '/v1/agent_runs', body: { issueId } })),
      inside: () => []
    },
    'GET /v1/agent_runs': {
      outside: ({ foreign }) => [{ path: '/v1/agent_runs' }, { path: `/v1/agent_runs?issueId=${foreign}` }],
      inside: ({ own }) => [{ path: `/v1/agent_runs?issueId=${own}` }]
    },
    'GET /v1/agent_runs/{id}': bound(id => `/v1/agent_runs/${id}`, { outside: ['foreignRun'], inside: ['ownRun'] }),
    'GET /v1/agent_runs/{id}/events': bound(id => `/v1/agent_runs/${id}/events`, {
      outside: ['foreignRun'],
      inside: ['ownRun']
    }),
    'GET /v1/agent_runs/{id}/steps': bound(id => `/v1/agent_runs/${id}/steps`, {
      outside: ['foreignRun'],
      inside: ['ownRun']
    })
  }
}
