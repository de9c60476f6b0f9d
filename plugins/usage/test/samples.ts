import { bound, READ_ISSUES, type Samples } from '../../../test/samples.ts'

const figures = { model: 'a-model', inputTokens: 1000, outputTokens: 200, cachedTokens: 50, costUsd: 0.25 }
const report = (names: object) => ({ ...figures, reportId: 'a report', ...names })

export const samples: Samples = {
  async fill(make, { issue }, text, n) {
    await make('/v1/usage', report({ reportId: `${text} ${n}`, issueId: issue?.[0], session: text }))
    return {}
  },
  async requests({ key }, size, server) {
    for (let n = 0; n < Math.min(size, 10); n++) {
      await server.ok('/v1/usage', { body: report({ reportId: `report ${n}`, issueId: key, model: `model ${n}` }) })
    }
    return [
      ['/v1/usage', { body: report({ issueId: key }) }],
      [`/v1/usage?by=model&issueId=${key}`, {}]
    ]
  },
  withoutEvents: { 'POST /v1/usage': 'totals that clients send again and again; whoever needs them asks' },
  locks: {
    'POST /v1/usage': [
      ({ issue }, n) => ['/v1/usage', { method: 'POST', body: report({ issueId: issue, reportId: `${n % 2}` }) }]
    ]
  },
  boundToRuns: {
    'POST /v1/usage': {
      outside: ({ foreign, sub }) => [foreign, sub].map(issueId => ({ path: '/v1/usage', body: report({ issueId }) })),
      inside: ({ own }) => [{ path: '/v1/usage', body: report({ issueId: own }) }]
    },
    'GET /v1/usage': bound(ref => `/v1/usage?issueId=${ref}`, READ_ISSUES)
  }
}
