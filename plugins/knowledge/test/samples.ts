import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, { issue }, text, n) {
    const { id } = await make('/v1/knowledge', { content: `Fact ${n} ${text}`, issueId: issue?.[0], force: true })
    return { entry: [id] }
  },
  requests: async ({ key }) => [[`/v1/issues/${key}/servings`, {}]],
  kinds: { knowledge: 'entry', servings: 'entry', supersedes: 'entry' }
}
