import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, { issue }, text) {
    const path = `/v1/issue_comments?issueId=${issue?.[0]}`
    const bodyMarkdown = `\`\`\`js\n${text}()\n\`\`\`\n`
    const comment = await make(path, { bodyMarkdown })
    const reply = await make(path, { bodyMarkdown, parentId: comment.id })
    return { comment: [comment.id, reply.id] }
  },
  kinds: { issue_comments: 'comment' },
  requests: async ({ key }, size) => [
    [
      `/v1/issue_comments?issueId=${key}`,
      { body: { bodyMarkdown: Array.from({ length: size }, (_, i) => `line ${i}`).join('\n') } }
    ],
    [`/v1/issue_comments?issueId=${key}`, {}]
  ]
}
