import type { ImportSource, SourceInput, SourceRecord, Unreadable } from '../contract.ts'
import { isAddress, jsonValues, type ReadValue } from '../files.ts'
import { isObject, objectsOf, isDeeperThan } from '../values.ts'
import type { jiraIssue } from './issue.ts'
import { liveIssues } from './live.ts'

/** Levels of objects and lists: a document that people have written has a few dozen. */
const MAX_DEPTH = 500

/** Jira: answers of its REST API, in files or live. */
export const jira: ImportSource = {
  name: 'jira',
  summary: 'Jira: issues of its REST API, one a line or in saved pages; or an address',
  tokenVariable: 'JIRA_TOKEN',
  async *read(input) {
    // With what reads its texts, which a server that imports nothing has no need of.
    const { jiraIssue } = await import('./issue.ts')
    for await (const value of isAddress(input.place) ? liveIssues(input) : jsonValues(input.place)) {
      yield* records(value, input, jiraIssue)
    }
  }
}

function* records(
  read: ReadValue,
  input: SourceInput,
  recordsOf: typeof jiraIssue
): Generator<SourceRecord | Unreadable> {
  const { where } = read
  if ('problem' in read) {
    yield { where, problem: read.problem }
    return
  }
  if (!isObject(read.value) && !Array.isArray(read.value)) {
    yield { where, problem: 'it is no issue' }
    return
  }
  const issues = Array.isArray(read.value)
    ? objectsOf(read.value)
    : Array.isArray(read.value['issues'])
      ? objectsOf(read.value['issues'])
      : [read.value]
  for (const issue of issues) {
    const place = issues.length === 1 ? where : `${where}, ${String(issue['key'])}`
    if (isDeeperThan(issue, MAX_DEPTH)) {
      yield { where: place, problem: `it has more than ${MAX_DEPTH} levels within each other` }
      continue
    }
    for (const record of recordsOf(issue, place, input)) {
      yield typeof record === 'string' ? { where: place, problem: record } : { where: place, record }
    }
  }
}
