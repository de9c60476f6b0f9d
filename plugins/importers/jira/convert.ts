import type { ImportMap, SourceInput, SourceRecord, Unreadable } from '../contract.ts'
import { parse } from '../files.ts'
import { reference } from '../references.ts'
import { issuesOf, type Answer } from './answers.ts'
import { jiraIssue } from './issue.ts'

/** Answers of the REST API, with what decides about their records. */
export interface JiraInput {
  answers: readonly Answer[]
  place: string
  map: ImportMap
}
export interface JiraRecords {
  records: Array<SourceRecord | Unreadable>
  /** What is to be left out. */
  leftOut: Array<Parameters<SourceInput['leaveOut']>>
}

/** The records of answers; a function of plain data, which a thread can run. */
export function jiraRecords({ answers, place, map }: JiraInput): JiraRecords {
  const leftOut: JiraRecords['leftOut'] = []
  const input: SourceInput = {
    place,
    map,
    token: undefined,
    waitFactor: 1,
    leaveOut: (...what) => leftOut.push(what),
    reference
  }
  return { records: answers.flatMap(answer => [...answerRecords(answer, input)]), leftOut }
}

function* answerRecords(answer: Answer, input: SourceInput): Generator<SourceRecord | Unreadable> {
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
    const { where } = each
    for (const record of jiraIssue(each.issue, where, input)) {
      yield typeof record === 'string' ? { where, problem: record } : { where, record }
    }
  }
}
