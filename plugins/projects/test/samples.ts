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
    const milestone = await make('/v1/milestones', { projectId: project.id, name: `Step ${text}`, date: '2026-02-01' })
    const update = await make('/v1/project_updates', {
      projectId: project.id,
      health: 'AT_RISK',
      bodyMarkdown: `Late: ${text}`
    })
    const issue = await make('/v1/issues', {
      teamId,
      title: `Planned ${text}`,
      projectId: project.id,
      milestoneId: milestone.id,
      cycleId: cycle.id
    })
    return {
      ...{ project: [project.id], cycle: [cycle.id], issue: [issue.id] },
      ...{ milestone: [milestone.id], project_update: [update.id] }
    }
  },
  kinds: { projects: 'project', cycles: 'cycle', milestones: 'milestone', project_updates: 'project_update' },
  requests: async (_issue, _size, _server, { project, cycle, milestone, project_update: update }) => [
    ['/v1/projects/progress', {}],
    [`/v1/milestones?projectId=${project?.[0]}`, {}],
    ['/v1/milestones', { body: { projectId: project?.[0], name: 'Another step' } }],
    [`/v1/milestones/${milestone?.[0]}`, { body: { name: 'changed' } }],
    [`/v1/milestones/${milestone?.[0]}`, { method: 'DELETE' }],
    [`/v1/project_updates?projectId=${project?.[0]}`, {}],
    ['/v1/project_updates', { body: { projectId: project?.[0], health: 'ON_TRACK', bodyMarkdown: 'Fine.' } }],
    [`/v1/project_updates/${update?.[0]}`, { body: { health: 'OFF_TRACK' } }],
    [`/v1/project_updates/${update?.[0]}`, { method: 'DELETE' }],
    ['/v1/projects', {}],
    [`/v1/projects/${project?.[0]}`, {}],
    [`/v1/projects/${project?.[0]}/activity`, {}],
    ['/v1/projects', { body: { name: `After ${project?.[0]}` } }],
    [`/v1/projects/${project?.[0]}`, { body: { descriptionMarkdown: 'changed' } }],
    [`/v1/projects/${project?.[0]}`, { method: 'DELETE' }],
    [`/v1/projects/${project?.[0]}/restore`, { method: 'POST' }],
    [`/v1/projects/${project?.[0]}?permanently=true`, { method: 'DELETE' }],
    ['/v1/cycles', {}],
    ['/v1/cycles/progress', {}],
    [`/v1/cycles/${cycle?.[0]}/progress`, {}],
    [`/v1/cycles/${cycle?.[0]}/close`, { body: { carryOver: 'BACKLOG' } }],
    [`/v1/cycles/${cycle?.[0]}`, {}],
    ['/v1/cycles', { body: { name: 'Next', teamId: 'ENG', startsAt: START, endsAt: END } }],
    [`/v1/cycles/${cycle?.[0]}`, { body: { name: 'changed' } }],
    [`/v1/cycles/${cycle?.[0]}`, { method: 'DELETE' }]
  ],
  events: [
    { route: 'POST /v1/projects', body: { name: 'Launch' }, types: ['project.created'], keep: { projectId: 'id' } },
    {
      route: 'POST /v1/milestones',
      body: ({ projectId }) => ({ projectId, name: 'Beta' }),
      types: ['milestone.created']
    },
    { route: 'POST /v1/milestones/{id}', body: { date: '2026-03-01' }, types: ['milestone.updated'] },
    { route: 'DELETE /v1/milestones/{id}', types: ['milestone.deleted'] },
    {
      route: 'POST /v1/project_updates',
      body: ({ projectId }) => ({ projectId, health: 'AT_RISK', bodyMarkdown: 'Late.' }),
      types: ['project_update.created']
    },
    { route: 'POST /v1/project_updates/{id}', body: { health: 'ON_TRACK' }, types: ['project_update.updated'] },
    { route: 'DELETE /v1/project_updates/{id}', types: ['project_update.deleted'] },
    { route: 'POST /v1/projects', body: { name: 'Landing' }, types: ['project.created'] },
    { route: 'POST /v1/projects/{id}', body: { descriptionMarkdown: 'Soon.' }, types: ['project.updated'] },
    { route: 'DELETE /v1/projects/{id}', types: ['project.deleted'] },
    { route: 'POST /v1/projects/{id}/restore', types: ['project.updated'] },
    {
      route: 'POST /v1/cycles',
      body: { teamId: 'ENG', name: 'May', startsAt: START, endsAt: END },
      types: ['cycle.created']
    },
    { route: 'POST /v1/cycles/{id}', body: { name: 'June' }, types: ['cycle.updated'] },
    { route: 'POST /v1/cycles/{id}/close', body: { carryOver: 'BACKLOG' }, types: ['cycle.updated'] },
    { route: 'DELETE /v1/cycles/{id}', types: ['cycle.deleted'] }
  ],
  async lockRecords(make, { issue }, n) {
    const [project, cycle] = await Promise.all([
      make('/v1/projects', { name: `Locked ${n}` }),
      make('/v1/cycles', { name: 'C', teamId: 'ENG', startsAt: START, endsAt: END })
    ])
    const [milestone, update] = await Promise.all([
      make('/v1/milestones', { projectId: project.id, name: 'Beta' }),
      make('/v1/project_updates', { projectId: project.id, health: 'ON_TRACK', bodyMarkdown: 'Fine.' })
    ])
    await make(`/v1/issues/${issue}`, { projectId: project.id, milestoneId: milestone.id, cycleId: cycle.id })
    return { project: project.id, cycle: cycle.id, milestone: milestone.id, projectUpdate: update.id }
  },
  locks: {
    'POST /v1/milestones': [({ project }, n) => ['/v1/milestones', post({ projectId: project, name: `Step ${n}` })]],
    'POST /v1/milestones/{id}': [({ milestone }, n) => [`/v1/milestones/${milestone}`, post({ name: `Beta ${n}` })]],
    'DELETE /v1/milestones/{id}': [({ milestone }) => [`/v1/milestones/${milestone}`, remove]],
    'POST /v1/project_updates': [
      ({ project }) => ['/v1/project_updates', post({ projectId: project, health: 'AT_RISK', bodyMarkdown: 'Late.' })]
    ],
    'POST /v1/project_updates/{id}': [
      ({ projectUpdate }, n) => [`/v1/project_updates/${projectUpdate}`, post({ bodyMarkdown: `Late by ${n}.` })]
    ],
    'DELETE /v1/project_updates/{id}': [({ projectUpdate }) => [`/v1/project_updates/${projectUpdate}`, remove]],
    'POST /v1/projects/{id}': [({ project }, n) => [`/v1/projects/${project}`, post({ descriptionMarkdown: `${n}` })]],
    'DELETE /v1/projects/{id}': [({ project }) => [`/v1/projects/${project}`, remove]],
    'POST /v1/projects/{id}/restore': [({ project }) => [`/v1/projects/${project}/restore`, post({})]],
    'POST /v1/teams/{teamId}': [
      (_, n) => ['/v1/teams/ENG', post({ cycles: { weeks: 1 + (n % 2), startDay: 'MONDAY', carryOver: 'NEXT' } })]
    ],
    'POST /v1/cycles/{id}/close': [
      ({ cycle }) => [`/v1/cycles/${cycle}/close`, post({ carryOver: 'NEXT' })],
      ({ cycle }) => [`/v1/cycles/${cycle}/close`, post({ carryOver: 'BACKLOG' })]
    ],
    'POST /v1/cycles/{id}': [({ cycle }, n) => [`/v1/cycles/${cycle}`, post({ name: `Cycle ${n}` })]],
    'DELETE /v1/cycles/{id}': [({ cycle }) => [`/v1/cycles/${cycle}`, remove]]
  },
  withoutLocks: ['POST /v1/projects', 'POST /v1/cycles'],
  moreStatements: { 'POST /v1/cycles/{id}/close': 8 },
  openToRuns: {
    'GET /v1/projects/progress': 'projects are open to them',
    'GET /v1/milestones': 'issues name them',
    'GET /v1/project_updates': 'projects are open to them',
    'GET /v1/projects': 'issues and tools name them',
    'GET /v1/projects/{id}': 'issues and tools name them',
    'GET /v1/cycles': 'issues and tools name them',
    'GET /v1/cycles/progress': 'cycles are open to them',
    'GET /v1/cycles/{id}/progress': 'cycles are open to them',
    'GET /v1/cycles/{id}': 'issues and tools name them'
  }
}
