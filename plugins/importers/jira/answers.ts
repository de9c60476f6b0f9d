import type { Unreadable } from '../contract.ts'
import type { ReadText } from '../io/files.ts'
import { neededSchema } from './custom-fields.ts'
import { isDeeperThan, isObject, objectsOf, type JsonObject } from '../values/values.ts'

/** Real documents have a few dozen levels. */
const MAX_DEPTH = 500
const MAX_ANSWERS = 100
const MAX_CHARACTERS = 128 * 1024

export type Answer = { where: string; text: string } | Unreadable
export interface Answers {
  answers: Answer[]
  characters: number
}
type Issues = Array<{ where: string; issue: JsonObject } | Unreadable>

/** In parts that are worth a call of a thread. */
export async function* answersOf(read: AsyncIterable<ReadText>): AsyncGenerator<Answers> {
  let part: Answers = { answers: [], characters: 0 }
  for await (const each of read) {
    for (const answer of 'value' in each ? documentAnswers(each) : [each]) {
      const characters = 'text' in answer ? answer.text.length : 0
      if (part.answers.length >= MAX_ANSWERS || part.characters + characters > MAX_CHARACTERS) {
        if (part.answers.length > 0) yield part
        part = { answers: [], characters: 0 }
      }
      part.answers.push(answer)
      part.characters += characters
    }
  }
  if (part.answers.length > 0) yield part
}

const documentAnswers = ({ where, value }: { where: string; value: unknown }): Answer[] =>
  issuesOf(value, where).map(each =>
    'problem' in each ? each : { where: each.where, text: JSON.stringify(each.issue) }
  )

/** The answer is one issue, a list, or a page of a search. */
export function issuesOf(value: unknown, where: string): Issues {
  if (!Array.isArray(value) && !isObject(value)) return [{ where, problem: 'it is no issue' }]
  const inner: unknown = isObject(value) ? value['issues'] : value
  const issues = Array.isArray(inner) ? objectsOf(inner) : objectsOf([value])
  const schema = isObject(value) && Array.isArray(inner) ? neededSchema(value['schema']) : {}
  return issues.map(issue => {
    const place = issues.length === 1 ? where : `${where}, ${String(issue['key'])}`
    // JSON.stringify could not write it again.
    return isDeeperThan(issue, MAX_DEPTH)
      ? { where: place, problem: `it has more than ${MAX_DEPTH} levels within each other` }
      : { where: place, issue: { ...issue, schema: { ...schema, ...neededSchema(issue['schema']) } } }
  })
}
