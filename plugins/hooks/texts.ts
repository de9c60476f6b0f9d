import type { WrittenText } from '../../core/api/text.ts'
import type { EndedQuestion } from '../comments/contract.ts'
import type { LostIssue } from './contract.ts'
import { QUIET_MINUTES, type HeldIssue } from './queries/sessions.ts'

/** Maximum characters of a title; clients cut long texts. */
const MAX_TITLE_LENGTH = 80

const cut = (title: string) =>
  title.length > MAX_TITLE_LENGTH
    ? `${Array.from(title)
        .slice(0, MAX_TITLE_LENGTH - 1)
        .join('')}…`
    : title
const criteria = ({ criteriaMet, criteriaTotal }: HeldIssue) =>
  criteriaTotal === 0 ? 'no criteria' : `${criteriaMet} of ${criteriaTotal} criteria met`
const line = (issue: HeldIssue, written: WrittenText) =>
  `- ${issue.key} (${criteria(issue)}${issue.hasLapsed ? ', your claim has expired' : ''}): ` +
  written.mark(cut(issue.title))
const lines = (issues: readonly HeldIssue[], written: WrittenText) =>
  issues.map(issue => line(issue, written)).join('\n')

export const listText = (issues: readonly HeldIssue[], written: WrittenText): string =>
  `Your tasks in progress in the tracker:
${lines(issues, written)}
Tick each criterion as soon as it is met, and close a task with its resolution.`

/** Possibly shortened; empty without a name or issues. */
export function startText(
  issues: readonly HeldIssue[],
  lost: readonly LostIssue[],
  session: string,
  written: WrittenText
): string {
  const list = () => listText(issues, written)
  const more = (issues[0]?.inProgress ?? 0) - issues.length
  const parts = [
    ...(session === '' ? [] : [`Your session in the tracker is "${session}": send it as session with its tools.`]),
    ...(issues.length > 0 ? [more > 0 ? `${list()} There are ${more} more.` : list()] : []),
    ...(issues.some(({ hasLapsed }) => hasLapsed)
      ? ['Your next write to a task renews its expired claim; until then anybody may take it.']
      : []),
    ...(lost.length > 0
      ? [
          `Taken from you: ${lost.map(({ key, holder }) => `${key} (by ${JSON.stringify(holder)})`).join(', ')}. ` +
            'Your changes of these are refused unless you pick them up again.'
        ]
      : [])
  ]
  return parts.join('\n')
}

export const answersText = (answers: readonly EndedQuestion[], written: WrittenText): string =>
  answers
    .map(({ key, question, by, isWithdrawn, answer }) => {
      const who = JSON.stringify(by)
      const subject = `your question on the task ${key} (${written.mark(cut(question))})`
      if (isWithdrawn) return `${who} withdrew ${subject}: decide it yourself.`
      return answer === null
        ? `${who} answered ${subject}, and the answer was removed: ask again, or decide it yourself.`
        : `${who} answered ${subject}: ${written.mark(answer)}`
    })
    .join('\n')

export function reminderText(issues: readonly HeldIssue[], written: WrittenText): string {
  const [tasks, them] = issues.length === 1 ? ['this task stands', 'it'] : ['these tasks stand', 'them']
  return (
    `Before you stop, record in the tracker where ${tasks}; ` +
    `you have not updated ${them} for ${QUIET_MINUTES} minutes or more:
${lines(issues, written)}
Tick the criteria that are met, add a note, or close it with its resolution.`
  )
}
