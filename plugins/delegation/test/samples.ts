import type { Kysely } from 'kysely'
import { insertToken } from '../../../core/auth/accounts.ts'
import { newId } from '../../../core/api/database/queries.ts'
import type { CoreTables } from '../../../core/api/database/types.ts'
import type { TestServer } from '../../../test/runner/harness.ts'
import { bound, post, type Names, type Samples } from '../../../test/samples.ts'
import { confinementOf } from '../confinement.ts'
import type { DelegationTables } from '../contract.ts'
import { readyIssue } from './helpers.ts'

const runsOf = ({ database }: TestServer): Kysely<CoreTables & DelegationTables> => database.db

/** Runs the newest run, without its runner. @returns its token */
async function runToken(server: TestServer): Promise<Names> {
  const db = runsOf(server)
  const run = await db.selectFrom('agentRun').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  return db.transaction().execute(async trx => {
    const { id, token } = await insertToken(trx, run.workspaceId, {
      accountId: run.agentId,
      name: 'Run',
      confinedTo: confinementOf(run)
    })
    await trx
      .updateTable('agentRun')
      .set({ status: 'RUNNING', leaseId: newId(), leaseUntil: new Date('2100-01-01'), tokenId: id })
      .where('id', '=', run.id)
      .execute()
    return { runToken: token }
  })
}

/** Ends the active runs well, with work that nobody has reviewed. */
async function endRuns(server: TestServer): Promise<Names> {
  await runsOf(server)
    .updateTable('agentRun')
    .set({ status: 'SUCCEEDED', finishedAt: new Date(), leaseId: null, leaseUntil: null })
    .set({ resultBranch: 'tracker/ENG-1', resultAt: new Date() })
    .where('finishedAt', 'is', null)
    .execute()
  return {}
}

export const samples: Samples = {
  async requests(_issue, _size, server) {
    const [first, second] = [await readyIssue(server), await readyIssue(server)]
    const { id } = await server.ok<{ id: string }>('/v1/agent_runs', { body: { issueId: first.key } })
    return [
      ['/v1/agent_runs', { body: { issueId: second.key } }],
      ['/v1/agent_runs', {}],
      [`/v1/agent_runners?issueId=${second.key}`, {}],
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
    { route: 'POST /v1/agent_runs/{id}/cancel', body: {}, types: ['run.finished'] },
    { route: 'POST /v1/agent_runs/{id}/retry', body: {}, types: ['run.requested'] },
    {
      route: 'POST /v1/agent_runs/{id}/result',
      prepare: runToken,
      call: ({ runToken }) => ({ body: { branch: 'tracker/ENG-1' }, token: runToken! }),
      types: ['run.result_linked']
    },
    {
      route: 'POST /v1/agent_runs/{id}/send_back',
      prepare: endRuns,
      body: { text: 'The tests fail.' },
      types: ['comment.created', 'run.requested', 'run.reviewed']
    },
    {
      route: 'POST /v1/agent_runs/{id}/accept',
      prepare: endRuns,
      body: {},
      types: ['issue.updated', 'run.reviewed']
    }
  ],
  notCounted: {
    'POST /v1/agent_runs/{id}/retry': 'as POST /v1/agent_runs',
    'POST /v1/agent_runs/{id}/result': 'needs the token of a run that runs',
    'POST /v1/agent_runs/{id}/accept': 'as a change of the issue',
    'POST /v1/agent_runs/{id}/send_back': 'as a comment, a change of the issue and POST /v1/agent_runs'
  },
  withoutLocks: [
    'POST /v1/agent_runs/{id}/retry',
    'POST /v1/agent_runs/{id}/result',
    'POST /v1/agent_runs/{id}/accept',
    'POST /v1/agent_runs/{id}/send_back'
  ],
  lockRecords: async (make, { other }) => ({ run: (await make('/v1/agent_runs', { issueId: other })).id }),
  locks: {
    'POST /v1/agent_runs': [({ issue }) => ['/v1/agent_runs', post({ issueId: issue })]],
    'POST /v1/agent_runs/{id}/cancel': [({ run }) => [`/v1/agent_runs/${run}/cancel`, post({})]]
  },
  moreStatements: { 'POST /v1/agent_runs': 3, delegate_task: 7 },
  boundToRuns: {
    'POST /v1/agent_runs': {
      outside: ({ foreign, sub }) => [foreign, sub].map(issueId => ({ path: '/v1/agent_runs', body: { issueId } })),
      inside: () => []
    },
    'GET /v1/agent_runs': {
      outside: ({ foreign }) => [{ path: '/v1/agent_runs' }, { path: `/v1/agent_runs?issueId=${foreign}` }],
      inside: ({ own }) => [{ path: `/v1/agent_runs?issueId=${own}` }]
    },
    'POST /v1/agent_runs/{id}/result': bound(
      id => `/v1/agent_runs/${id}/result`,
      { outside: ['foreignRun'], inside: ['ownRun'] },
      { branch: 'tracker/ENG-2' }
    ),
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
