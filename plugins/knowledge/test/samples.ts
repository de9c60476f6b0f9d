import { bound, post, READ_ISSUES, remove, type Samples } from '../../../test/samples.ts'

const fact = (n: number, more: object = {}) => ({ content: `Fact number ${n} of the run.`, ...more })

export const samples: Samples = {
  async fill(make, { issue }, text, n) {
    const { id } = await make('/v1/knowledge', { content: `Fact ${n} ${text}`, issueId: issue?.[0], force: true })
    return { entry: [id] }
  },
  requests: async ({ key }, _size, _server, { entry }) => [
    ['/v1/knowledge?query=Fact', {}],
    [`/v1/knowledge/context?issueId=${key}`, {}],
    ['/v1/knowledge', { body: { content: 'It is so.', issueId: key, force: true } }],
    [`/v1/knowledge/${entry?.[0]}`, {}],
    [`/v1/knowledge/${entry?.[0]}/servings`, {}],
    [`/v1/issues/${key}/servings`, {}],
    ['/v1/knowledge/marks', { body: { issueId: key, helped: [entry?.[0]] } }],
    [`/v1/knowledge/${entry?.[0]}`, { body: { content: `It is so in ${key}.` } }],
    [`/v1/knowledge/${entry?.[0]}`, { method: 'DELETE' }],
    [`/v1/knowledge/${entry?.[0]}/restore`, { method: 'POST' }],
    [`/v1/knowledge/${entry?.[0]}?permanently=true`, { method: 'DELETE' }]
  ],
  kinds: { knowledge: 'entry', servings: 'entry', supersedes: 'entry' },
  events: [
    { route: 'POST /v1/knowledge', body: { content: 'The exporter writes UTC.' }, types: ['knowledge.created'] },
    { route: 'POST /v1/knowledge/{id}', body: { status: 'DISPUTED' }, types: ['knowledge.updated'] },
    { route: 'POST /v1/knowledge/marks', body: ({ id }) => ({ helped: [id] }), types: ['knowledge.marked'] },
    { route: 'DELETE /v1/knowledge/{id}', types: ['knowledge.deleted'] },
    { route: 'POST /v1/knowledge/{id}/restore', types: ['knowledge.updated'] }
  ],
  lockRecords: async (make, { issue }, n) => ({
    knowledge: (await make('/v1/knowledge', { content: `Fact ${n}`, issueId: issue, force: true })).id
  }),
  locks: {
    'POST /v1/knowledge': [
      ({ issue, project }, n) => [
        '/v1/knowledge',
        post({ content: `Learned ${n} of ${issue}`, issueId: issue, projectId: project, force: true })
      ],
      ({ issue, knowledge }, n) => [
        '/v1/knowledge',
        post({ content: `Corrected ${n} of ${issue}`, issueId: issue, supersedesId: knowledge })
      ]
    ],
    'POST /v1/knowledge/{id}': [
      ({ issue, knowledge }, n) => [
        `/v1/knowledge/${knowledge}`,
        post({ content: `Changed ${n} of ${issue}`, issueId: issue })
      ]
    ],
    'POST /v1/knowledge/marks': [
      ({ issue, knowledge }) => ['/v1/knowledge/marks', post({ issueId: issue, helped: [knowledge] })]
    ],
    'DELETE /v1/knowledge/{id}': [({ knowledge }) => [`/v1/knowledge/${knowledge}`, remove]],
    'POST /v1/knowledge/{id}/restore': [({ knowledge }) => [`/v1/knowledge/${knowledge}/restore`, post({})]]
  },
  moreStatements: {
    'GET /v1/knowledge/context': 2,
    'POST /v1/knowledge': 4,
    'POST /v1/knowledge/{id}': 2,
    'POST /v1/knowledge/{id}/restore': 2,
    remember: 5
  },
  openToRuns: {
    'GET /v1/knowledge': 'what was learnt elsewhere is needed for the work',
    'GET /v1/knowledge/{id}': 'what was learnt elsewhere is needed for the work'
  },
  async runRecords(server, token, { own, foreign }) {
    const add = async (content: string, issueId?: string) =>
      (await server.ok<{ id: string }>('/v1/knowledge', { token, body: { content, issueId, force: true } })).id
    return {
      ownFact: await add('Own doors open inwards.', own),
      foreignFact: await add('Foreign windows are round.', foreign),
      commonFact: await add('Common walls carry paintings.')
    }
  },
  boundToRuns: {
    'GET /v1/knowledge/context': bound(ref => `/v1/knowledge/context?issueId=${ref}`, READ_ISSUES),
    'POST /v1/knowledge': {
      outside: ({ foreign, foreignFact, commonFact }) => [
        { path: '/v1/knowledge', body: fact(1, { issueId: foreign }) },
        { path: '/v1/knowledge', body: fact(2, { supersedesId: foreignFact }) },
        { path: '/v1/knowledge', body: fact(3, { supersedesId: commonFact }) }
      ],
      inside: ({ own }) => [
        { path: '/v1/knowledge', body: fact(4) },
        { path: '/v1/knowledge', body: fact(5, { issueId: own }) }
      ]
    },
    'POST /v1/knowledge/marks': {
      outside: ({ foreign, commonFact }) => [
        { path: '/v1/knowledge/marks', body: { issueId: foreign, helped: [commonFact] } }
      ],
      inside: ({ own, foreignFact }) => [{ path: '/v1/knowledge/marks', body: { issueId: own, helped: [foreignFact] } }]
    },
    'POST /v1/knowledge/{id}': {
      outside: ({ ownFact, foreign, foreignFact, commonFact }) => [
        { path: `/v1/knowledge/${foreignFact}`, body: { status: 'DISPUTED' } },
        { path: `/v1/knowledge/${commonFact}`, body: { status: 'DISPUTED' } },
        { path: `/v1/knowledge/${ownFact}`, body: { issueId: foreign } }
      ],
      inside: ({ ownFact }) => [{ path: `/v1/knowledge/${ownFact}`, body: { status: 'DISPUTED' } }]
    }
  }
}
