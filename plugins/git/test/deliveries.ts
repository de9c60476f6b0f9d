import { createHmac, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'

/** A hook, as POST /v1/git/hooks answers. */
export interface TestHook {
  id: string
  secret: string
}
type Payload = Record<string, unknown>

// Real deliveries, which each test modifies.
const examples = createRequire(import.meta.url)('@octokit/webhooks-examples/api.github.com/index.json') as Array<{
  name: string
  examples: Payload[]
}>
export const examplesOf = (event: string): Payload[] =>
  structuredClone(examples.find(({ name }) => name === event)!.examples)

export const REPOSITORY = 'Codertocat/Hello-World'

let number = 100
/** A pull request of that repository, by its owner unless the changes say otherwise. */
export function pullRequest(changes: Payload = {}, action = 'opened', head: Payload = {}) {
  const payload = examplesOf('pull_request')[0] as { pull_request: Payload; action: string } & Payload
  Object.assign(payload.pull_request, {
    body: null,
    author_association: 'OWNER',
    html_url: `https://github.com/${REPOSITORY}/pull/${number}`,
    number: number++,
    updated_at: new Date().toISOString(),
    ...changes,
    head: { ...(payload.pull_request['head'] as Payload), ...head }
  })
  return { ...payload, action }
}

export const signatureOf = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** GitHub's request that delivers a payload to a hook. */
export const delivery = (hook: TestHook, event: string, payload: object, id: string = randomUUID()) => {
  const body = JSON.stringify(payload)
  const headers = {
    'x-hub-signature-256': signatureOf(body, hook.secret),
    'x-github-event': event,
    'x-github-delivery': id
  }
  return [`/v1/git/github/${hook.id}`, { token: null, body, headers }] satisfies [string, object]
}
