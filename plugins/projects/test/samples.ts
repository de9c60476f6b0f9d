import type { Samples } from '../../../test/samples.ts'

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
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: '2026-02-01T00:00:00.000Z'
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
  requests: async () => [
    ['/v1/projects', {}],
    ['/v1/cycles', {}]
  ]
}
