import { Type } from 'typebox'
import type { ContextSection, ReadyReason, RowSection } from '../../issues/contract.ts'
import { AWAITING_ANSWER } from '../contract.ts'
import { awaitedNames, awaitingJson, isAwaiting, openQuestions } from '../queries/questions.ts'

export const questionsOfContext: ContextSection = { name: 'openQuestions', json: openQuestions, onlyIf: isAwaiting }

export const awaitingOfRow: RowSection = {
  name: 'awaiting',
  schema: Type.Literal(true, { description: 'A question on it waits for an answer.' }),
  json: awaitingJson
}

/** An issue with an open question is not ready: the answer may change the task. */
export const awaitsAnswer: ReadyReason = {
  code: AWAITING_ANSWER,
  condition: isAwaiting,
  detail: awaitedNames,
  message: (key, names) => `${key} has a question that waits for the answer of ${names}: answer or withdraw it.`
}
