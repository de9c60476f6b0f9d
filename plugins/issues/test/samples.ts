import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, { team, state, label, person }, text) {
    const teamId = team?.[0]
    const descriptionMarkdown = `- [ ] done when ${text}\n\n\`\`\`js\n${text}()\n\`\`\`\n`
    const parent = await make('/v1/issues', { teamId, title: `Parent ${text}`, descriptionMarkdown })
    const issue = await make('/v1/issues', {
      teamId,
      title: `Issue ${text}`,
      descriptionMarkdown,
      stateId: state?.[0],
      labelIds: label,
      assigneeId: person?.[0],
      parentId: parent.id
    })
    const relation = await make('/v1/issue_relations', {
      issueId: parent.id,
      relatedIssueId: issue.id,
      type: 'RELATED'
    })
    const link = await make(`/v1/issues/${issue.id}/links`, {
      url: `https://example.com/${text}`,
      title: `Link ${text}`
    })
    return {
      issue: [issue.id, parent.id, issue.key, parent.key.toLowerCase()],
      relation: [relation.id],
      link: [link.id]
    }
  },
  kinds: { issues: 'issue', relatedIssue: 'issue', parent: 'issue', issue_relations: 'relation', links: 'link' },
  async requests({ key }, size, server) {
    const labelIds = (await server.ok<Array<{ id: string }>>('/v1/labels')).map(({ id }) => id)
    const other = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'x' } })
    const many = <T>(make: (i: number) => T) => Array.from({ length: size }, (_, i) => make(i))
    return [
      [
        '/v1/issues',
        {
          body: {
            teamId: 'ENG',
            title: 'x',
            labelIds,
            links: many(i => ({ url: `https://example.org/${i}`, title: 'x' })),
            subIssues: many(i => ({ title: `sub ${i}` }))
          }
        }
      ],
      ['/v1/issues/bulk', { body: { issues: many(i => ({ teamId: 'ENG', title: `bulk ${i}` })) } }],
      [`/v1/issues/${key}`, { body: { title: 'y', labelIds, priority: 2 } }],
      [`/v1/issues/${key}/criteria`, { body: { met: many(i => i + 1) } }],
      [`/v1/issues/${key}/pick_up`, { body: {} }],
      [`/v1/issues/${key}/claim/renew`, { body: {} }],
      [`/v1/issues/${key}/release`, { body: {} }],
      ['/v1/issues/ready', {}],
      ['/v1/issues/pick_up_next', { body: { team: 'ENG' } }],
      [`/v1/issues/${other.key}`, { method: 'DELETE' }]
    ]
  },
  /** Eleven issues; the next one is ENG-12. */
  async board(server) {
    for (let n = 1; n <= 11; n++) {
      await server.ok('/v1/issues', {
        body: {
          teamId: 'ENG',
          title: `Issue ${n}`,
          descriptionMarkdown: `The importer loses what stands in column ${n}.\n\n- [ ] nothing is lost`
        }
      })
    }
  }
}
