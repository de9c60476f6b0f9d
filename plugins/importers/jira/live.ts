import type { SourceInput } from '../contract.ts'
import type { ReadValue } from '../io/files.ts'
import { AddressError, fetchJson } from '../io/http.ts'
import { objectOf, objectsOf, textOf, type JsonObject } from '../values/values.ts'
import { neededSchema } from './custom-fields.ts'

const PAGE = 100

/** `https://acme.example/browse/ENG` is a project, `https://acme.example/?jql=…` a query, the bare address all. */
export async function* liveIssues({ place, token, waitFactor }: SourceInput): AsyncGenerator<ReadValue> {
  const { base, jql } = parsePlace(place)
  const headers: Record<string, string> = token === undefined ? {} : { authorization: authorization(token) }
  const get = (path: string, query: Record<string, string>) =>
    fetchJson(new URL(`${base}/rest/api/${path}?${new URLSearchParams(query).toString()}`), headers, waitFactor).then(
      objectOf
    )
  for await (const issue of pages(get, jql)) {
    yield {
      where: textOf(issue['key']) ?? 'an issue',
      value: await withWholeLog(get, await withAllComments(get, issue))
    }
  }
}

type Get = (path: string, query: Record<string, string>) => Promise<JsonObject>

function parsePlace(place: string): { base: string; jql: string } {
  const url = new URL(place)
  const project = /\/(?:browse|projects)\/([A-Za-z][A-Za-z0-9_]*)/.exec(url.pathname)
  const path = url.pathname.replace(/\/(?:browse|projects|rest|issues)\b.*$/, '').replace(/\/$/, '')
  const query = url.searchParams.get('jql') ?? (project ? `project = "${project[1]}"` : 'created is not EMPTY')
  return { base: url.origin + path, jql: /\border by\b/i.test(query) ? query : `${query} order by created asc` }
}

/** `address:token` of a cloud account, or a personal access token. */
export const authorization = (token: string) =>
  token.includes(':') ? `Basic ${Buffer.from(token).toString('base64')}` : `Bearer ${token}`

const query = (jql: string) => ({ jql, maxResults: String(PAGE), fields: '*all', expand: 'changelog,schema' })

async function* pages(get: Get, jql: string): AsyncGenerator<JsonObject> {
  let startAt = 0
  for (;;) {
    let page: JsonObject
    try {
      page = await get('2/search', { ...query(jql), startAt: String(startAt) })
    } catch (error) {
      // The cloud has another route, which pages by tokens.
      if (startAt > 0 || !(error instanceof AddressError) || ![404, 410].includes(error.status)) throw error
      yield* tokenPages(get, jql)
      return
    }
    const issues = issuesOf(page)
    yield* issues
    startAt += issues.length
    if (issues.length === 0 || startAt >= Number(page['total'] ?? 0)) return
  }
}

const issuesOf = (page: JsonObject): JsonObject[] =>
  objectsOf(page['issues']).map(issue => ({ schema: neededSchema(page['schema']), ...issue }))

async function* tokenPages(get: Get, jql: string): AsyncGenerator<JsonObject> {
  let nextPageToken: string | undefined
  do {
    const page = await get('3/search/jql', { ...query(jql), ...(nextPageToken !== undefined && { nextPageToken }) })
    yield* issuesOf(page)
    nextPageToken = textOf(page['nextPageToken'])
  } while (nextPageToken !== undefined)
}

/** A search returns only the first comments of an issue. */
async function withAllComments(get: Get, issue: JsonObject): Promise<JsonObject> {
  const fields = objectOf(issue['fields'])
  const page = objectOf(fields['comment'])
  const total = Number(page['total'] ?? 0)
  const comments = objectsOf(page['comments'])
  if (comments.length >= total) return issue
  // Texts have the version of the request: markup in 2, a document in 3.
  const version = typeof fields['description'] === 'object' && fields['description'] !== null ? '3' : '2'
  const all: JsonObject[] = []
  while (all.length < total) {
    const more = await get(`${version}/issue/${String(issue['key'])}/comment`, {
      startAt: String(all.length),
      maxResults: String(PAGE)
    })
    const got = objectsOf(more['comments'])
    if (got.length === 0) break
    all.push(...got)
  }
  return { ...issue, fields: { ...fields, comment: { ...page, comments: all } } }
}

/** Jira Cloud returns only an issue's last changes; Jira Server has no such route, and returns all. */
async function withWholeLog(get: Get, issue: JsonObject): Promise<JsonObject> {
  const log = objectOf(issue['changelog'])
  const total = Number(log['total'] ?? 0)
  if (objectsOf(log['histories']).length >= total) return issue
  const histories: JsonObject[] = []
  try {
    while (histories.length < total) {
      const query = { startAt: String(histories.length), maxResults: String(PAGE) }
      const got = objectsOf((await get(`2/issue/${String(issue['key'])}/changelog`, query))['values'])
      if (got.length === 0) break
      histories.push(...got)
    }
  } catch (error) {
    if (!(error instanceof AddressError) || error.status !== 404) throw error
    return issue
  }
  return { ...issue, changelog: { ...log, histories } }
}
