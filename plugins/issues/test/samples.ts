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
  async requests({ id, key }, size, server, { issue, team, relation, link }) {
    const labelIds = (await server.ok<Array<{ id: string }>>('/v1/labels')).map(({ id }) => id)
    const add = () => server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'x' } })
    const other = await add()
    const many = <T>(make: (i: number) => T) => Array.from({ length: size }, (_, i) => make(i))
    const others = await Promise.all(many(add))
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
      [
        '/v1/issues/bulk_change',
        { body: { issues: others.map(({ key }) => ({ issueId: key, priority: 1, labelIds })) } }
      ],
      [`/v1/issues/${key}`, {}],
      [`/v1/issues/${issue?.[1]}/context`, {}],
      [`/v1/issues/${key}/history`, {}],
      ['/v1/issues/filter', { body: { filters: { isReady: true }, view: 'full' } }],
      [`/v1/issues/${key}`, { body: { title: 'y', labelIds, priority: 2 } }],
      [`/v1/issues/${key}/criteria`, { body: { met: many(i => i + 1) } }],
      [`/v1/issues/${key}/pick_up`, { body: {} }],
      [`/v1/issues/${key}/claim/renew`, { body: {} }],
      [`/v1/issues/${key}/release`, { body: {} }],
      ['/v1/issues/ready', {}],
      ['/v1/issues/pick_up_next', { body: { team: 'ENG' } }],
      ['/v1/issue_relations', { body: { issueId: id, relatedIssueId: other.id, type: 'BLOCKED' } }],
      [`/v1/issue_relations/${relation?.[0]}`, { method: 'DELETE' }],
      [`/v1/issues/${key}/links`, { body: { url: 'https://example.org', title: 'x' } }],
      [`/v1/issues/${issue?.[1]}/links/${link?.[0]}`, { method: 'DELETE' }],
      [`/v1/issues/${key}/move`, { body: { teamId: team?.[0] } }],
      [`/v1/issues/${issue?.[1]}`, { method: 'DELETE' }]
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
