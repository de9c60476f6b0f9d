import { Octokit } from '@octokit/core'
import { paginateRest } from '@octokit/plugin-paginate-rest'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import type { SourceInput } from '../contract.ts'
import type { ReadValue } from '../io/files.ts'
import { objectOf, objectsOf, type JsonObject } from '../values/values.ts'

const Client = Octokit.plugin(paginateRest, retry, throttling)
const MAX_WAITS = 5
const PAGE = 100
const SECOND_MS = 1000

export async function* livePages(
  { place, token, waitFactor }: SourceInput,
  what: 'pulls' | 'issues'
): AsyncGenerator<ReadValue> {
  const { baseUrl, owner, repo } = parsePlace(place)
  const retryAfterBaseValue = SECOND_MS * waitFactor
  const client = new Client({
    baseUrl,
    ...(token !== undefined && { auth: token }),
    retry: { retryAfterBaseValue },
    throttle: {
      retryAfterBaseValue,
      onRateLimit: (_waitSeconds, _options, _octokit, waits) => waits < MAX_WAITS,
      onSecondaryRateLimit: (_waitSeconds, _options, _octokit, waits) => waits < MAX_WAITS
    }
  })
  const all = { owner, repo, state: 'all', per_page: PAGE, sort: 'created', direction: 'asc' } as const
  try {
    if (what === 'pulls') {
      for await (const { data } of client.paginate.iterator('GET /repos/{owner}/{repo}/pulls', all)) {
        yield { where: 'pull requests', value: data }
      }
      return
    }
    for await (const { data } of client.paginate.iterator('GET /repos/{owner}/{repo}/issues', all)) {
      yield { where: 'issues', value: await withParts(client, owner, repo, objectsOf(data)) }
    }
    const comments = { owner, repo, per_page: PAGE, sort: 'created', direction: 'asc' } as const
    for await (const { data } of client.paginate.iterator('GET /repos/{owner}/{repo}/issues/comments', comments)) {
      yield { where: 'comments', value: data }
    }
  } catch (error) {
    const { status, message } = error as Error & { status?: number }
    throw new Error(
      status === 401 || status === 403 || status === 404
        ? `${place} answers ${status}: check the address, and set GITHUB_TOKEN to a token that may read it.`
        : `${place} cannot be read: ${message}. Run the import again later.`
    )
  }
}

/** `https://github.com/acme/app`, an enterprise server's page, or an API's `…/repos/acme/app`. */
function parsePlace(place: string): { baseUrl: string; owner: string; repo: string } {
  const url = new URL(place)
  const [, prefix, owner, repo] = /^(.*\/repos)?\/([^/]+)\/([^/]+?)(?:\.git)?(?:\/.*)?$/.exec(url.pathname) ?? []
  if (owner === undefined || repo === undefined) {
    throw new Error(`${place} names no repository: an address such as https://github.com/acme/app does.`)
  }
  if (prefix !== undefined) return { baseUrl: url.origin + prefix.slice(0, -'/repos'.length), owner, repo }
  return { baseUrl: url.host === 'github.com' ? 'https://api.github.com' : `${url.origin}/api/v3`, owner, repo }
}

async function withParts(
  client: InstanceType<typeof Client>,
  owner: string,
  repo: string,
  issues: readonly JsonObject[]
): Promise<JsonObject[]> {
  const complete: JsonObject[] = []
  for (const issue of issues) {
    if (!(Number(objectOf(issue['sub_issues_summary'])['total']) > 0)) {
      complete.push(issue)
      continue
    }
    const parts = await client.paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/sub_issues', {
      owner,
      repo,
      issue_number: Number(issue['number']),
      per_page: PAGE
    })
    complete.push({ ...issue, sub_issues: parts })
  }
  return complete
}
