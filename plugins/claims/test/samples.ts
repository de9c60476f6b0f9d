import { bound, post, WRITTEN_ISSUES, type Samples } from '../../../test/samples.ts'

const RENEW = 'POST /v1/issues/{issueId}/claim/renew'
const renew = (ref: string) => `/v1/issues/${ref}/claim/renew`
const bounds = bound(renew, WRITTEN_ISSUES, {})
const pickUp = (renewal: string) => ({ path: renewal.replace('claim/renew', 'pick_up'), body: { takeover: true } })

export const samples: Samples = {
  async requests(_issue, _size, server) {
    const body = { teamId: 'ENG', title: 'x', assignee: 'me', state: 'In Progress' }
    const { key } = await server.ok<{ key: string }>('/v1/issues', { body })
    return [[renew(key), { body: {} }]]
  },
  withoutEvents: { [RENEW]: 'the renewal of a claim is no change of its issue' },
  locks: { [RENEW]: [({ issue }) => [renew(String(issue)), post({ minutes: 5 })]] },
  boundToRuns: {
    [RENEW]: {
      outside: bounds.outside,
      // Picked up first, for other plugins have closed or released it.
      inside: names => bounds.inside(names).flatMap(({ path }) => [pickUp(path), { path, body: {} }])
    }
  }
}
