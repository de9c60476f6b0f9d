import { bound, post, READ_ISSUES, remove, type Samples } from '../../../test/samples.ts'

const onComments = { outside: ['reactedOutside'], inside: ['reactedInside'] }

export const samples: Samples = {
  async fill(make, { comment }) {
    await make(`/v1/issue_comments/${comment?.[0]}/reactions`, { emoji: 'HEART' })
    return {}
  },
  async requests({ key }, size, server) {
    const comments = await Promise.all(
      Array.from({ length: Math.min(size, 10) }, () =>
        server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'Done.' } })
      )
    )
    for (const { id } of comments) await server.ok(`/v1/issue_comments/${id}/reactions`, { body: { emoji: 'EYES' } })
    const path = `/v1/issue_comments/${comments[0]!.id}/reactions`
    return [
      [`/v1/issues/${key}/reactions`, {}],
      [path, {}],
      [path, { body: { emoji: 'HEART' } }],
      [`${path}/HEART`, { method: 'DELETE' }]
    ]
  },
  events: [
    { route: 'POST /v1/issue_comments?issueId={issueId}', body: { bodyMarkdown: 'Done.' }, types: ['comment.created'] },
    { route: 'POST /v1/issue_comments/{id}/reactions', body: { emoji: 'HEART' }, types: ['reaction.added'] },
    {
      route: 'DELETE /v1/issue_comments/{id}/reactions/{emoji}',
      prepare: async () => ({ emoji: 'HEART' }),
      types: ['reaction.removed']
    }
  ],
  locks: {
    'POST /v1/issue_comments/{id}/reactions': [
      ({ comment }, n) => [`/v1/issue_comments/${comment}/reactions`, post({ emoji: n % 2 ? 'HEART' : 'EYES' })]
    ],
    'DELETE /v1/issue_comments/{id}/reactions/{emoji}': [
      ({ comment }, n) => [`/v1/issue_comments/${comment}/reactions/${n % 2 ? 'HEART' : 'EYES'}`, remove]
    ]
  },
  async runRecords(server, _token, names) {
    const react = async (issue: string | undefined) => {
      const { id } = await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${issue}`, {
        body: { bodyMarkdown: 'A comment.' }
      })
      await server.ok(`/v1/issue_comments/${id}/reactions`, { body: { emoji: 'HEART' } })
      return id
    }
    return { reactedOutside: await react(names['foreign']), reactedInside: await react(names['own']) }
  },
  boundToRuns: {
    'GET /v1/issues/{issueId}/reactions': bound(ref => `/v1/issues/${ref}/reactions`, READ_ISSUES),
    'GET /v1/issue_comments/{id}/reactions': bound(id => `/v1/issue_comments/${id}/reactions`, onComments),
    'POST /v1/issue_comments/{id}/reactions': bound(id => `/v1/issue_comments/${id}/reactions`, onComments, {
      emoji: 'EYES'
    }),
    'DELETE /v1/issue_comments/{id}/reactions/{emoji}': {
      outside: ({ reactedOutside }) => [
        { path: `/v1/issue_comments/${reactedOutside}/reactions/HEART`, method: 'DELETE' }
      ],
      inside: ({ reactedInside }) => [{ path: `/v1/issue_comments/${reactedInside}/reactions/HEART`, method: 'DELETE' }]
    }
  }
}
