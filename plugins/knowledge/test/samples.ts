import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, { issue }, text, n) {
    const { id } = await make('/v1/knowledge', { content: `Fact ${n} ${text}`, issueId: issue?.[0], force: true })
    return { entry: [id] }
  },
  requests: async ({ key }, _size, _server, { entry }) => [
    ['/v1/knowledge?query=Fact', {}],
    [`/v1/knowledge/context?issueId=${key}`, {}],
    ['/v1/knowledge', { body: { content: 'It is so.', issueId: key, force: true } }],
    [`/v1/knowledge/${entry?.[0]}`, {}],
    [`/v1/knowledge/${entry?.[0]}/servings`, {}],
    [`/v1/issues/${key}/servings`, {}],
    [`/v1/knowledge/${entry?.[0]}`, { body: { content: `It is so in ${key}.` } }],
    [`/v1/knowledge/${entry?.[0]}`, { method: 'DELETE' }]
  ],
  kinds: { knowledge: 'entry', servings: 'entry', supersedes: 'entry' }
}
