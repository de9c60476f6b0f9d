import { QUIET_MINUTES, type Held } from './queries.ts'

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
const line = (issue: Held) => `- ${issue.key} (${criteria(issue)}): ${cut(issue.title)}`
const lines = (issues: readonly Held[]) => issues.map(line).join('\n')

/** The list of the issues in progress, with how much of each definition of done is met. */
export const listText = (issues: readonly Held[]): string => `Your tasks in progress in the tracker:
${lines(issues)}
Tick each criterion as soon as it is met, and close a task with its resolution.`

/** At the start of a session, some may be left out. */
export function startText(issues: readonly Held[]): string {
  const more = (issues[0]?.inProgress ?? 0) - issues.length
  return more > 0 ? `${listText(issues)} There are ${more} more.` : listText(issues)
}

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
