import type { ImportMap, SourceInput, SourceItem } from '../contract.ts'
import { parse } from '../io/files.ts'
import { omittedIssue } from '../values/marks.ts'
import { reference } from '../references.ts'
import { objectOf, textOf } from '../values/values.ts'
import { issuesOf, type Answer } from './answers.ts'
import { jiraIssue } from './issue.ts'
import { markOf, withoutRestrictedComments } from './marks.ts'
import { siteOf } from './site.ts'

export interface JiraInput {
  answers: readonly Answer[]
  place: string
  map: ImportMap
  include: SourceInput['include']
  folder: string | undefined
}
export interface JiraRecords {
  records: SourceItem[]
  leftOut: Array<Parameters<SourceInput['leaveOut']>>
}

export function jiraRecords({ answers, place, map, include, folder }: JiraInput): JiraRecords {
  const leftOut: JiraRecords['leftOut'] = []
  const input: SourceInput = {
    place,
    map,
    include,
    files: undefined,
    token: undefined,
    waitFactor: 1,
    leaveOut: (...what) => leftOut.push(what),
    reference
  }
  return { records: answers.flatMap(answer => [...answerRecords(answer, input, folder)]), leftOut }
}

function* answerRecords(answer: Answer, input: SourceInput, folder: string | undefined): Generator<SourceItem> {
  const read = 'text' in answer ? parse(answer.text, answer.where) : answer
  if ('problem' in read) {
    yield read
    return
  }
  for (const each of issuesOf(read.value, read.where)) {
    if ('problem' in each) {
      yield each
      continue
    }
    const { where, issue } = each
    const names = [textOf(issue['id']), textOf(issue['key'])]
    const omitted = omittedIssue(markOf(objectOf(issue['fields'])), names, where, input)
    if (omitted !== undefined) {
      yield omitted
      continue
    }
    const site = siteOf(issue, input)
    for (const record of jiraIssue(withoutRestrictedComments(issue, where, input), where, input, folder)) {
      yield typeof record === 'string' ? { where, problem: record } : { where, record, site }
    }
  }
}
