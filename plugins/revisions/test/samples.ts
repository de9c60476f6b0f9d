import { bound, READ_ISSUES, type Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, { issue, comment }, text) {
    await make(`/v1/issues/${issue?.[0]}`, { descriptionMarkdown: `${text} edited` })
    await make(`/v1/issue_comments/${comment?.[0]}`, { bodyMarkdown: `${text} edited` })
    return {}
  },
  async requests({ key }, size, server) {
    const { id } = await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: '1' } })
    await server.ok(`/v1/issue_comments/${id}`, { body: { bodyMarkdown: '2' } })
    await server.ok(`/v1/issues/${key}`, { body: { descriptionMarkdown: `Edited.\n\n${'- [ ] x\n'.repeat(size)}` } })
    return [
      [`/v1/issues/${key}/revisions`, {}],
      [`/v1/issues/${key}/revisions/1`, {}],
      [`/v1/issue_comments/${id}/revisions`, {}],
      [`/v1/issue_comments/${id}/revisions/1`, {}]
    ]
  },
  async runRecords(server, _token, names) {
    const edited: Record<string, string> = {}
    for (const [name, on] of [
      ['editedOutside', names['foreign']],
      ['editedInside', names['own']]
    ] as const) {
      const { id } = await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${on}`, {
        body: { bodyMarkdown: 'first' }
      })
      await server.ok(`/v1/issue_comments/${id}`, { body: { bodyMarkdown: 'second' } })
      edited[name] = id
    }
    const descriptionMarkdown = 'What is wanted here was edited.\n\n- [ ] it holds'
    for (const name of [...READ_ISSUES.inside, ...READ_ISSUES.outside]) {
      await server.ok(`/v1/issues/${names[name]}`, { body: { descriptionMarkdown } })
    }
    return edited
  },
  boundToRuns: {
    'GET /v1/issues/{issueId}/revisions': bound(ref => `/v1/issues/${ref}/revisions`, READ_ISSUES),
    'GET /v1/issues/{issueId}/revisions/{n}': bound(ref => `/v1/issues/${ref}/revisions/1`, READ_ISSUES),
    'GET /v1/issue_comments/{id}/revisions': bound(id => `/v1/issue_comments/${id}/revisions`, {
      outside: ['editedOutside'],
      inside: ['editedInside']
    }),
    'GET /v1/issue_comments/{id}/revisions/{n}': bound(id => `/v1/issue_comments/${id}/revisions/1`, {
      outside: ['editedOutside'],
      inside: ['editedInside']
    })
  }
}
