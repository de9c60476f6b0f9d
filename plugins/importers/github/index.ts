import type { ImportSource, SourceInput, SourceItem } from '../contract.ts'
import { isAddress, jsonValues, type ReadValue } from '../io/files.ts'
import { omittedIssue } from '../values/marks.ts'
import { objectsOf, textOf, type JsonObject } from '../values/values.ts'
import { accessOf } from './attachments.ts'
import { githubComment, githubIssue, referencesIn, repositoryOf, siteOf, type Repository } from './issue.ts'

export const github: ImportSource = {
  name: 'github',
  summary: 'GitHub: a repository, such as https://github.com/acme/app; or saved pages of issues and comments',
  keysInTexts: /#\d+$/,
  tokenVariable: 'GITHUB_TOKEN',
  async *read(input) {
    // Pull requests first: they become links of the issues that they name.
    const repository: Repository = { links: new Map(), pulls: new Set() }
    for await (const page of pagesOf(input, 'pulls')) {
      for (const item of itemsOf(page)) notePull(repository, item)
    }
    for await (const page of pagesOf(input, 'issues')) yield* records(page, repository, input)
  },
  access: accessOf
}

async function* pagesOf(input: SourceInput, what: 'pulls' | 'issues'): AsyncGenerator<ReadValue> {
  if (!isAddress(input.place)) return yield* jsonValues(input.place)
  // Loads GitHub's client, which a server that imports nothing does not need.
  const { livePages } = await import('./live.ts')
  yield* livePages(input, what)
}

const itemsOf = (read: ReadValue): JsonObject[] =>
  'problem' in read ? [] : Array.isArray(read.value) ? objectsOf(read.value) : objectsOf([read.value])

const isPull = (item: JsonObject) => item['pull_request'] !== undefined || item['merged_at'] !== undefined

function notePull({ links, pulls }: Repository, item: JsonObject): void {
  const url = textOf(item['html_url'])
  const name = repositoryOf(item)
  if (!isPull(item) || url === undefined || name === undefined) return
  pulls.add(`${name}#${String(item['number'])}`)
  const title = textOf(item['title']) ?? url
  const keys = [title, textOf(item['body']) ?? ''].flatMap(text => referencesIn(text, name)).map(({ name }) => name)
  for (const key of new Set(keys)) links.set(key, [...(links.get(key) ?? []), { url, title }])
}

function* records(read: ReadValue, repository: Repository, input: SourceInput): Generator<SourceItem> {
  if ('problem' in read) {
    yield read
    return
  }
  for (const item of itemsOf(read)) {
    const where = textOf(item['html_url']) ?? read.where
    if (isPull(item)) continue
    const isIssue = item['issue_url'] === undefined
    const mark = item['confidential'] === true || item['internal'] === true ? 'restricted' : undefined
    const omitted = omittedIssue(mark, [`${repositoryOf(item)}#${textOf(item['number'])}`], where, input)
    if (omitted !== undefined) {
      if (isIssue) yield omitted
      else input.leaveOut('comments', omitted.reason, where)
      continue
    }
    const recordsOf = isIssue ? githubIssue : githubComment
    for (const record of recordsOf(item, repository, input)) {
      yield typeof record === 'string' ? { where, problem: record } : { where, record, site: siteOf(item) }
    }
  }
}
