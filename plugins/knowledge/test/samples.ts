import { post, remove, type Samples } from '../../../test/samples.ts'

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
    [`/v1/knowledge/${entry?.[0]}`, { body: { content: `It is so in ${key}.` } }],
    [`/v1/knowledge/${entry?.[0]}`, { method: 'DELETE' }]
  ],
  kinds: { knowledge: 'entry', servings: 'entry', supersedes: 'entry' },
  events: [
    { route: 'POST /v1/knowledge', body: { content: 'The exporter writes UTC.' }, types: ['knowledge.created'] },
    { route: 'POST /v1/knowledge/{id}', body: { status: 'DISPUTED' }, types: ['knowledge.updated'] },
    { route: 'DELETE /v1/knowledge/{id}', types: ['knowledge.deleted'] }
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
    'DELETE /v1/knowledge/{id}': [({ knowledge }) => [`/v1/knowledge/${knowledge}`, remove]]
  },
  moreStatements: { 'GET /v1/knowledge/context': 2, 'POST /v1/knowledge': 4, 'POST /v1/knowledge/{id}': 2, remember: 5 }
}
