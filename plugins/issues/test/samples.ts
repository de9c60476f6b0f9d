import { bound, post, READ_ISSUES, remove, WRITTEN_ISSUES, type Samples } from '../../../test/samples.ts'

const draft = (parentId?: string) => ({ teamId: 'ENG', title: 'A part', ...(parentId && { parentId }) })
const relation = (issueId?: string, relatedIssueId?: string, type = 'RELATED') => ({ issueId, relatedIssueId, type })
const priority = bound(ref => `/v1/issues/${ref}`, WRITTEN_ISSUES, { priority: 1 })

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
      [`/v1/issues/${issue?.[1]}/activity`, {}],
      ['/v1/issues/filter', { body: { filters: { isReady: true }, view: 'full' } }],
      [`/v1/issues/${key}`, { body: { title: 'y', labelIds, priority: 2 } }],
      [`/v1/issues/${key}/criteria`, { body: { met: many(i => i + 1) } }],
      [`/v1/issues/${key}/pick_up`, { body: {} }],
      [`/v1/issues/${key}/release`, { body: {} }],
      ['/v1/issues/ready', {}],
      ['/v1/issues/pick_up_next', { body: { team: 'ENG' } }],
      ['/v1/issue_relations', { body: { issueId: id, relatedIssueId: other.id, type: 'BLOCKED' } }],
      [`/v1/issue_relations/${relation?.[0]}`, { method: 'DELETE' }],
      [`/v1/issues/${key}/links`, { body: { url: 'https://example.org', title: 'x' } }],
      [`/v1/issues/${issue?.[1]}/links/${link?.[0]}`, { method: 'DELETE' }],
      [`/v1/issues/${key}/move`, { body: { teamId: team?.[0] } }],
      [`/v1/issues/${issue?.[1]}`, { method: 'DELETE' }],
      [`/v1/issues/${issue?.[1]}/restore`, { method: 'POST' }],
      [`/v1/issues/${issue?.[1]}?permanently=true`, { method: 'DELETE' }]
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
  },
  events: [
    { route: 'POST /v1/issues', body: { teamId: 'ENG', title: 'First' }, types: ['issue.created'] },
    { route: 'POST /v1/issues/bulk', body: { issues: [{ teamId: 'ENG', title: 'Second' }] }, types: ['issue.created'] },
    { route: 'POST /v1/issues/{issueId}', body: { priority: 1, estimate: 2 }, types: ['issue.updated'] },
    {
      route: 'POST /v1/issues/bulk_change',
      body: ({ issueId, otherId }) => ({ issues: [issueId, otherId].map(issueId => ({ issueId, priority: 2 })) }),
      types: ['issue.updated']
    },
    { route: 'POST /v1/issues/{issueId}/criteria', body: { met: [1] }, types: ['issue.updated'] },
    {
      route: 'POST /v1/issues/{issueId}/links',
      body: { url: 'https://example.org', title: 'Report' },
      types: ['issue.updated']
    },
    { route: 'DELETE /v1/issues/{issueId}/links/{id}', types: ['issue.updated'] },
    {
      route: 'POST /v1/issue_relations',
      body: ({ issueId, otherId }) => ({ issueId, relatedIssueId: otherId, type: 'RELATED' }),
      types: ['issue.updated']
    },
    { route: 'DELETE /v1/issue_relations/{id}', types: ['issue.updated'] },
    { route: 'POST /v1/issues/{issueId}/pick_up', body: {}, types: ['issue.updated'] },
    {
      route: 'POST /v1/issues/{issueId}/release',
      body: { note: 'Not mine.' },
      types: ['issue.updated', 'comment.created']
    },
    { route: 'POST /v1/issues/pick_up_next', body: { team: 'ENG' }, types: ['issue.updated'] },
    { route: 'POST /v1/teams', body: { identifier: 'NEW', name: 'New' }, types: ['team.created'] },
    { route: 'POST /v1/issues/{issueId}/move', body: { teamId: 'NEW' }, types: ['issue.updated'] },
    { route: 'DELETE /v1/issues/{issueId}', types: ['issue.deleted'] },
    { route: 'POST /v1/issues/{issueId}/restore', types: ['issue.updated'] }
  ],
  withoutEvents: {
    'POST /v1/issues/filter': 'reads'
  },
  async lockRecords(make, { done, backlog }) {
    const descriptionMarkdown = 'What is wanted here, and why it is wanted.\n\n- [ ] it works'
    const file = (title: string, more: object = {}) =>
      make('/v1/issues', { teamId: 'ENG', title, descriptionMarkdown, ...more })
    // In the backlog: otherwise another pair's `pick_up_next` may take it before it is delegated.
    const [{ id: parent }, other] = await Promise.all([file('parent'), file('other', { stateId: backlog })])
    const issue = await file('issue', { parentId: parent })
    const [child, link, relation] = await Promise.all([
      // Closed: with open sub-issues the issue could not be delegated.
      file('child', { parentId: issue.id, stateId: done }),
      make(`/v1/issues/${issue.id}/links`, { url: 'https://example.org/a', title: 'a' }),
      make('/v1/issue_relations', { issueId: issue.id, relatedIssueId: other.id, type: 'DUPLICATE' })
    ])
    return {
      parent,
      issue: issue.id,
      issueKey: issue.key,
      other: other.id,
      otherKey: other.key,
      child: child.id,
      link: link.id,
      relation: relation.id
    }
  },
  locks: {
    'POST /v1/issues': [
      ({ issue, other }, n) => [
        '/v1/issues',
        post({
          teamId: 'ENG',
          title: `part ${n}`,
          parentId: issue,
          blockedByIds: n % 2 ? [issue, other] : [other, issue]
        })
      ]
    ],
    'POST /v1/issues/bulk': [
      ({ issue, parent, todo, done }, n) => {
        const draft = (parentId?: string, stateId?: string) => ({
          teamId: 'ENG',
          title: `bulk ${n}`,
          parentId,
          stateId
        })
        const drafts = [draft(issue, todo), draft(parent, done)]
        return ['/v1/issues/bulk', post({ issues: n % 2 ? drafts : drafts.reverse() })]
      }
    ],
    'POST /v1/issues/bulk_change': [
      ({ issue, child, parent, other, inReview, done }, n) => {
        const changes = [
          { issueId: issue, stateId: n % 2 ? inReview : done },
          { issueId: child, parentId: n % 2 ? other : issue },
          { issueId: parent, priority: n % 5 }
        ]
        return ['/v1/issues/bulk_change', post({ issues: n % 2 ? changes : changes.reverse() })]
      }
    ],
    'POST /v1/issues/{issueId}': [
      ({ issue, project, label, inReview, done }, n) => [
        `/v1/issues/${issue}`,
        post({
          title: `title ${n}`,
          stateId: n % 2 ? inReview : done,
          priority: n % 5,
          projectId: n % 2 ? project : null,
          addLabelIds: [label],
          criteria: { met: [1] }
        })
      ],
      ({ issue, parent, other }, n) => [
        `/v1/issues/${issue}`,
        post({ parentId: n % 2 ? other : parent, criteria: n % 2 ? { met: [1] } : { unmet: [1] } })
      ],
      ({ issue, child, other }, n) => [`/v1/issues/${child}`, post({ parentId: n % 2 ? other : issue })],
      ({ issue, other }, n) => [
        `/v1/issues/${n % 2 ? issue : other}`,
        post({ addRelations: [{ type: 'SIMILAR', relatedIssueId: n % 2 ? other : issue }] })
      ]
    ],
    'DELETE /v1/issues/{issueId}': [
      ({ issue }) => [`/v1/issues/${issue}`, remove],
      ({ issue }) => [`/v1/issues/${issue}?permanently=true`, remove]
    ],
    'POST /v1/issues/{issueId}/restore': [({ issue }) => [`/v1/issues/${issue}/restore`, post({})]],
    'POST /v1/issues/{issueId}/move': [
      ({ issue }, n) => [`/v1/issues/${issue}/move`, post({ teamId: n % 2 ? 'ENG' : 'OPS' })]
    ],
    'POST /v1/issues/{issueId}/pick_up': [({ issue }) => [`/v1/issues/${issue}/pick_up`, post({ takeover: true })]],
    'POST /v1/issues/{issueId}/release': [({ issue }) => [`/v1/issues/${issue}/release`, post({ note: 'back' })]],
    'POST /v1/issues/pick_up_next': [() => ['/v1/issues/pick_up_next', post({ team: 'ENG' })]],
    'POST /v1/issues/{issueId}/criteria': [
      ({ issue }, n) => [`/v1/issues/${issue}/criteria`, post(n % 2 ? { met: [1] } : { unmet: [1] })]
    ],
    'POST /v1/issue_relations': [
      ({ issue, other }, n) => [
        '/v1/issue_relations',
        post({ issueId: n % 2 ? issue : other, relatedIssueId: n % 2 ? other : issue, type: 'RELATED' })
      ],
      ({ issue, child }) => ['/v1/issue_relations', post({ issueId: child, relatedIssueId: issue, type: 'BLOCKS' })]
    ],
    'DELETE /v1/issue_relations/{id}': [({ relation }) => [`/v1/issue_relations/${relation}`, remove]],
    'POST /v1/issues/{issueId}/links': [
      ({ issue }) => [`/v1/issues/${issue}/links`, post({ url: 'https://example.org/b', title: 'b' })]
    ],
    'DELETE /v1/issues/{issueId}/links/{id}': [({ issue, link }) => [`/v1/issues/${issue}/links/${link}`, remove]]
  },
  withoutLocks: ['POST /v1/issues/filter'],
  moreStatements: {
    'POST /v1/issues/bulk_change': 2,
    'POST /v1/issues/pick_up_next': 1,
    'POST /v1/issues/{issueId}/restore': 2,
    'POST /v1/issues/{issueId}/criteria': 1,
    'DELETE /v1/issues/{issueId}': 19,
    update_task: 4
  },
  statementsPerItem: { 'POST /v1/issues/bulk_change': 4 },
  boundToRuns: {
    'GET /v1/issues/{issueId}': bound(ref => `/v1/issues/${ref}`, READ_ISSUES),
    'GET /v1/issues/{issueId}/context': bound(ref => `/v1/issues/${ref}/context`, READ_ISSUES),
    'GET /v1/issues/{issueId}/activity': bound(ref => `/v1/issues/${ref}/activity`, READ_ISSUES),
    'POST /v1/issues': {
      outside: ({ own, foreign, parent }) =>
        [
          draft(),
          draft(foreign),
          draft(parent),
          { ...draft(), parent: foreign },
          { ...draft(foreign), parent: own },
          { ...draft(), parentId: null, parent: own },
          { ...draft(own), blockedByIds: [foreign] },
          { ...draft(own), issueRelation: { type: 'BLOCKED', relatedIssueId: foreign } },
          { ...draft(own), relations: [{ type: 'RELATED', relatedIssueId: foreign }] },
          { ...draft(own), subIssues: [{ title: 'A part of it', blockedByIds: [foreign] }] }
        ].map(body => ({ path: '/v1/issues', body })),
      inside: ({ own, deep }) =>
        [draft(own), draft(deep), { ...draft(), parent: own }].map(body => ({ path: '/v1/issues', body }))
    },
    'POST /v1/issues/bulk': {
      outside: ({ own, foreign }) => [{ path: '/v1/issues/bulk', body: { issues: [draft(own), draft(foreign)] } }],
      inside: ({ own, deep }) => [{ path: '/v1/issues/bulk', body: { issues: [draft(own), draft(deep)] } }]
    },
    'POST /v1/issues/{issueId}': {
      outside: names => [
        ...priority.outside(names),
        { path: `/v1/issues/${names['sub']}`, body: { parentId: names['foreign'] } },
        { path: `/v1/issues/${names['sub']}`, body: { parent: names['foreign'] } },
        { path: `/v1/issues/${names['sub']}`, body: { parentId: null } },
        { path: `/v1/issues/${names['sub']}`, body: { parent: null } },
        { path: `/v1/issues/${names['own']}`, body: { parentId: null } },
        ...[
          { addRelations: [{ type: 'RELATED', relatedIssueId: names['foreign'] }] },
          { addBlockedByIds: [names['foreign']] },
          { removeBlockedByIds: [names['foreign']] },
          { addRelations: [{ type: 'BLOCKS', relatedIssueId: names['related'] }] },
          { removeRelations: [{ type: 'DUPLICATE', relatedIssueId: names['related'] }] },
          { removeRelations: [{ relatedIssueId: names['related'] }] }
        ].map(body => ({ path: `/v1/issues/${names['own']}`, body }))
      ],
      inside: names => [
        ...priority.inside(names),
        ...[
          { addRelations: [{ type: 'SIMILAR', relatedIssueId: names['related'] }] },
          { removeRelations: [{ type: 'SIMILAR', relatedIssueId: names['related'] }] },
          { addBlockedByIds: [names['related']] },
          { removeBlockedByIds: [names['related']] }
        ].map(body => ({ path: `/v1/issues/${names['own']}`, body }))
      ]
    },
    'POST /v1/issues/{issueId}/pick_up': bound(ref => `/v1/issues/${ref}/pick_up`, WRITTEN_ISSUES, {}),
    'POST /v1/issues/{issueId}/release': bound(ref => `/v1/issues/${ref}/release`, WRITTEN_ISSUES, {}),
    'POST /v1/issues/{issueId}/criteria': bound(ref => `/v1/issues/${ref}/criteria`, WRITTEN_ISSUES, { met: [1] }),
    'POST /v1/issues/{issueId}/links': bound(ref => `/v1/issues/${ref}/links`, WRITTEN_ISSUES, {
      url: 'https://example.com/',
      title: 'x'
    }),
    'POST /v1/issue_relations': {
      outside: ({ own, foreign, related }) =>
        [
          relation(foreign, own),
          relation(own, foreign),
          relation(own, foreign, 'BLOCKED'),
          relation(own, related, 'BLOCKS'),
          relation(own, related, 'DUPLICATE')
        ].map(body => ({ path: '/v1/issue_relations', body })),
      inside: ({ own, related, deep }) =>
        [relation(own, related), relation(deep, related, 'BLOCKED'), relation(own, deep, 'BLOCKS')].map(body => ({
          path: '/v1/issue_relations',
          body
        }))
    }
  }
}
