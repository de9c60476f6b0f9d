import type { TestServer } from './runner/harness.ts'

/** A board that has something of everything. */
export async function fillBoard({ ok, agent }: TestServer): Promise<void> {
  const robot = await agent('Robot', ['read', 'write'])
  const ben = await ok<{ id: string }>('/v1/users', {
    body: { email: 'ben@example.com', fullname: 'Ben Bold', role: 'MEMBER' }
  })
  await ok('/v1/teams', { body: { identifier: 'WEB', name: 'Web' } })
  const states = await ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')
  await ok(`/v1/ENG/workflows/${states.find(state => state.name === 'Triage')!.id}`, { method: 'DELETE' })
  await ok('/v1/ENG/workflows', { body: { name: 'Blocked', category: 'STARTED', color: '#123456' } })
  const label = await ok<{ id: string }>('/v1/labels', { body: { name: 'Urgent', color: '#654321' } })
  const project = await ok<{ id: string }>('/v1/projects', {
    body: { name: 'Moon', descriptionMarkdown: 'To the **moon**', teamId: 'ENG' }
  })
  const milestone = await ok<{ id: string }>('/v1/milestones', {
    body: { projectId: project.id, name: 'Landing', date: '2026-07-20' }
  })
  await ok('/v1/project_updates', {
    body: { projectId: project.id, health: 'AT_RISK', bodyMarkdown: 'The *lander* is late.' }
  })
  const cycle = await ok<{ id: string }>('/v1/cycles', {
    body: { name: 'July', teamId: 'ENG', startsAt: '2026-07-01T00:00:00.000Z', endsAt: '2026-07-31T00:00:00.000Z' }
  })
  const issue = await ok<{ id: string }>('/v1/issues', {
    body: {
      title: 'Everything',
      teamId: 'ENG',
      descriptionMarkdown: 'Some *text*\n\n- [x] done\n- [ ] open\n',
      priority: 2,
      estimate: 3,
      dueDate: '2026-08-01',
      labelIds: [label.id],
      projectId: project.id,
      milestoneId: milestone.id,
      cycleId: cycle.id,
      links: [{ url: 'https://example.com/1', title: 'One' }],
      subIssues: [{ title: 'A part', teamId: 'ENG' }]
    }
  })
  const raw = await ok<{ id: string }>('/v1/issues', {
    body: {
      title: 'Raw',
      teamId: 'ENG',
      description: {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: 'not from [markdown](x)' }] }]
      }
    }
  })
  await ok('/v1/issue_relations', { body: { issueId: issue.id, relatedIssueId: raw.id, type: 'BLOCKED' } })
  await ok(`/v1/issues/${issue.id}`, {
    token: robot.token,
    body: { stateId: states.find(state => state.name === 'Done')!.id, assigneeId: ben.id, priority: 1 }
  })
  await ok(`/v1/issues/${raw.id}/move`, { body: { teamId: 'WEB' } })
  const gone = await ok<{ id: string }>('/v1/issues', { body: { title: 'Gone', teamId: 'ENG' } })
  await ok(`/v1/issues/${gone.id}`, { method: 'DELETE' })
  const note = await ok<{ id: string }>(`/v1/issue_comments?issueId=${issue.id}`, {
    token: robot.token,
    body: { bodyMarkdown: '> quoted\n\nand **said**' }
  })
  await ok(`/v1/issue_comments?issueId=${issue.id}`, { body: { bodyMarkdown: 'A reply', parentId: note.id } })
  const old = await ok<{ id: string }>('/v1/knowledge', {
    body: { content: 'The build takes a minute', kind: 'FACT', tags: ['build'], teamId: 'ENG' }
  })
  await ok('/v1/knowledge', {
    token: robot.token,
    body: {
      content: 'The build takes two minutes',
      supersedesId: old.id,
      issueId: issue.id,
      expiresAt: '2099-01-01T00:00:00.000Z'
    }
  })
  const filters = { state: { filterType: 'IS', value: [states[0]!.id] } }
  await ok('/v1/views', { body: { name: 'Mine', isShared: true, filters } })
  await ok('/v1/issue_templates', {
    body: { teamId: 'ENG', name: 'Bug', title: 'It fails: ', labelIds: [label.id], criteria: ['A test fails without'] }
  })
  await ok(`/v1/users/agents/${robot.id}`, { method: 'DELETE' })
}
