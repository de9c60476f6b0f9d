import type { HeardAnswer } from '../comments/contract.ts'
import { QUIET_MINUTES, type Held, type Lost } from './queries.ts'

/** Characters of a title that are shown; clients cut long texts. */
const MAX_TITLE_LENGTH = 80

const cut = (title: string) =>
  title.length > MAX_TITLE_LENGTH
    ? `${Array.from(title)
        .slice(0, MAX_TITLE_LENGTH - 1)
        .join('')}…`
    : title
const criteria = ({ criteriaMet, criteriaTotal }: Held) =>
  criteriaTotal === 0 ? 'no criteria' : `${criteriaMet} of ${criteriaTotal} criteria met`
const line = (issue: Held) =>
  `- ${issue.key} (${criteria(issue)}${issue.hasLapsed ? ', your claim has lapsed' : ''}): ${cut(issue.title)}`
const lines = (issues: readonly Held[]) => issues.map(line).join('\n')

/** The list of the issues in progress, with how much of each definition of done is met. */
export const listText = (issues: readonly Held[]): string => `Your tasks in progress in the tracker:
${lines(issues)}
Tick each criterion as soon as it is met, and close a task with its resolution.`

/**
 * At the start of a session: what it is called, what is in progress, of which some may be left out, and what was taken
 * from it. Empty when there is nothing to say.
 */
export function startText(issues: readonly Held[], lost: readonly Lost[], session: string): string {
  const more = (issues[0]?.inProgress ?? 0) - issues.length
  const parts = [
    ...(session === '' ? [] : [`Your session in the tracker is "${session}": send it as session with its tools.`]),
    ...(issues.length > 0 ? [more > 0 ? `${listText(issues)} There are ${more} more.` : listText(issues)] : []),
    ...(issues.some(({ hasLapsed }) => hasLapsed)
      ? ['A claim that has lapsed goes on with your next write to the task; until then anybody may take it.']
      : []),
    ...(lost.length > 0
      ? [
          `Taken from you: ${lost.map(({ key, holder }) => `${key} (by ${holder})`).join(', ')}. ` +
            'Your changes of these are refused unless you pick them up again.'
        ]
      : [])
  ]
  return parts.join('\n')
}

/** How questions of the agent ended. */
export const answersText = (answers: readonly HeardAnswer[]): string =>
  answers
    .map(({ key, question, by, answer }) =>
      answer === null
        ? `${by} withdrew your question on the task ${key} ("${cut(question)}"): decide it yourself.`
        : `${by} answered your question on the task ${key} ("${cut(question)}"): ${answer}`
    )
    .join('\n')

/** Asks to record where quiet issues stand. */
export function reminderText(issues: readonly Held[]): string {
  const [tasks, them] = issues.length === 1 ? ['this task stands', 'it'] : ['these tasks stand', 'them']
  return (
    `Before you stop, record in the tracker where ${tasks}; ` +
    `you have not updated ${them} for ${QUIET_MINUTES} minutes or more:
${lines(issues)}
Tick the criteria that are met, add a note, or close it with its resolution.`
  )
}
