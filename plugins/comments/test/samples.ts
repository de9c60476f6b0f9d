import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, { issue }, text) {
    const path = `/v1/issue_comments?issueId=${issue?.[0]}`
    const bodyMarkdown = `\`\`\`js\n${text}()\n\`\`\`\n`
    const comment = await make(path, { bodyMarkdown })
    const reply = await make(path, { bodyMarkdown, parentId: comment.id })
    const question = await make(path, { bodyMarkdown, question: { options: [text] } })
    return { comment: [comment.id, reply.id, question.id] }
  },
  kinds: { issue_comments: 'comment' },
  async requests({ key }, size, server, { comment }) {
    const ask = () =>
      server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, {
        body: {
          bodyMarkdown: 'Which?',
          question: { options: Array.from({ length: Math.min(size, 10) }, (_, i) => `${i}`) }
        }
      })
    const [first, second] = [await ask(), await ask()]
    return [
      [
        `/v1/issue_comments?issueId=${key}`,
        { body: { bodyMarkdown: Array.from({ length: size }, (_, i) => `line ${i}`).join('\n') } }
      ],
      [`/v1/issue_comments?issueId=${key}`, {}],
      [`/v1/issue_comments/${comment?.[0]}`, {}],
      [`/v1/issue_comments/${comment?.[0]}`, { body: { bodyMarkdown: 'changed' } }],
      [`/v1/issue_comments/${comment?.[0]}`, { method: 'DELETE' }],
      [`/v1/issue_comments/${first.id}/answer`, { body: { bodyMarkdown: 'This.' } }],
      [`/v1/issue_comments/${second.id}/withdraw`, { body: {} }]
    ]
  }
}
