import type { Samples } from '../../../test/samples.ts'
import { readyIssue } from './helpers.ts'

export const samples: Samples = {
  async requests(_issue, _size, server) {
    const [first, second] = [await readyIssue(server), await readyIssue(server)]
    const { id } = await server.ok<{ id: string }>('/v1/agent_runs', { body: { issueId: first.key } })
    return [
      ['/v1/agent_runs', { body: { issueId: second.key } }],
      ['/v1/agent_runs', {}],
      [`/v1/agent_runs/${id}`, {}],
      [`/v1/agent_runs/${id}/events`, {}],
      [`/v1/agent_runs/${id}/cancel`, { body: {} }]
    ]
  }
}
