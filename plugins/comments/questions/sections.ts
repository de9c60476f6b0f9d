import { Type } from 'typebox'
import type { ContextSection, ReadyReason, RowSection } from '../../issues/contract.ts'
import { AWAITING_ANSWER } from '../contract.ts'
import { awaitedNames, awaitingJson, isAwaiting, openQuestions } from '../queries/questions.ts'

/** The questions of an issue that wait for an answer: a section of its context, where there are any. */
export const questionsOfContext: ContextSection = { name: 'openQuestions', json: openQuestions, onlyIf: isAwaiting }

/** Whether an issue has any, of its rows. */
export const awaitingOfRow: RowSection = {
  name: 'awaiting',
  schema: Type.Literal(true, { description: 'A question on it waits for an answer.' }),
  json: awaitingJson
}

/** An issue with an open question is not begun: the answer may change what is to be done. */
export const awaitsAnswer: ReadyReason = {
  code: AWAITING_ANSWER,
  condition: isAwaiting,
  detail: awaitedNames,
  message: (key, names) => `${key} has a question that waits for the answer of ${names}: answer or withdraw it.`
}
