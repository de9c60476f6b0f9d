import { post, remove, type Samples } from '../../../test/samples.ts'

const START = '2026-01-01T00:00:00.000Z'
const END = '2026-02-01T00:00:00.000Z'

export const samples: Samples = {
  async fill(make, { team }, text, n) {
    const teamId = team?.[0]
    const project = await make('/v1/projects', {
      name: `Project ${n} ${text}`,
      descriptionMarkdown: `- [ ] done when ${text}`,
      teamId
    })
    const cycle = await make('/v1/cycles', {
      name: `Cycle ${text}`,
      teamId,
      startsAt: START,
      endsAt: END
    })
    const issue = await make('/v1/issues', {
      teamId,
      title: `Planned ${text}`,
      projectId: project.id,
      cycleId: cycle.id
    })
    return { project: [project.id], cycle: [cycle.id], issue: [issue.id] }
  },
  kinds: { projects: 'project', cycles: 'cycle' },
  requests: async (_issue, _size, _server, { project, cycle }) => [
    ['/v1/projects', {}],
    [`/v1/projects/${project?.[0]}`, {}],
    ['/v1/projects', { body: { name: `After ${project?.[0]}` } }],
    [`/v1/projects/${project?.[0]}`, { body: { descriptionMarkdown: 'changed' } }],
    [`/v1/projects/${project?.[0]}`, { method: 'DELETE' }],
    [`/v1/projects/${project?.[0]}/restore`, { method: 'POST' }],
    [`/v1/projects/${project?.[0]}?permanently=true`, { method: 'DELETE' }],
    ['/v1/cycles', {}],
    [`/v1/cycles/${cycle?.[0]}`, {}],
    ['/v1/cycles', { body: { name: 'Next', teamId: 'ENG', startsAt: START, endsAt: END } }],
    [`/v1/cycles/${cycle?.[0]}`, { body: { name: 'changed' } }],
    [`/v1/cycles/${cycle?.[0]}`, { method: 'DELETE' }]
  ],
  events: [
    { route: 'POST /v1/projects', body: { name: 'Launch' }, types: ['project.created'] },
    { route: 'POST /v1/projects/{id}', body: { descriptionMarkdown: 'Soon.' }, types: ['project.updated'] },
    { route: 'DELETE /v1/projects/{id}', types: ['project.deleted'] },
    { route: 'POST /v1/projects/{id}/restore', types: ['project.updated'] },
    {
      route: 'POST /v1/cycles',
      body: { teamId: 'ENG', name: 'May', startsAt: START, endsAt: END },
      types: ['cycle.created']
    },
    { route: 'POST /v1/cycles/{id}', body: { name: 'June' }, types: ['cycle.updated'] },
    { route: 'DELETE /v1/cycles/{id}', types: ['cycle.deleted'] }
  ],
  async lockRecords(make, { issue }, n) {
    const [project, cycle] = await Promise.all([
      make('/v1/projects', { name: `Locked ${n}` }),
      make('/v1/cycles', { name: 'C', teamId: 'ENG', startsAt: START, endsAt: END })
    ])
    await make(`/v1/issues/${issue}`, { projectId: project.id, cycleId: cycle.id })
    return { project: project.id, cycle: cycle.id }
  },
  locks: {
    'POST /v1/projects/{id}': [({ project }, n) => [`/v1/projects/${project}`, post({ descriptionMarkdown: `${n}` })]],
    'DELETE /v1/projects/{id}': [({ project }) => [`/v1/projects/${project}`, remove]],
    'POST /v1/projects/{id}/restore': [({ project }) => [`/v1/projects/${project}/restore`, post({})]],
    'POST /v1/cycles/{id}': [({ cycle }, n) => [`/v1/cycles/${cycle}`, post({ name: `Cycle ${n}` })]],
    'DELETE /v1/cycles/{id}': [({ cycle }) => [`/v1/cycles/${cycle}`, remove]]
  },
  withoutLocks: ['POST /v1/projects', 'POST /v1/cycles'],
  openToRuns: {
    'GET /v1/projects': 'issues and tools name them',
    'GET /v1/projects/{id}': 'issues and tools name them',
    'GET /v1/cycles': 'issues and tools name them',
    'GET /v1/cycles/{id}': 'issues and tools name them'
  }
}
