import { daysBefore } from '../../lib/util/days.ts'
import { ISSUES, KNOWLEDGE, type SampleIssue } from './content.ts'

/* Times are relative to its creation, so that a board is always some weeks old. */

type Line = Record<string, unknown>

const PEOPLE = [
  { externalId: 'mara', fullname: 'Mara Lind', email: 'mara@example.org', type: 'PERSON', role: 'MEMBER' },
  { externalId: 'jonas', fullname: 'Jonas Okafor', email: 'jonas@example.org', type: 'PERSON', role: 'MEMBER' },
  { externalId: 'ada', fullname: 'Ada', type: 'AGENT', role: 'MEMBER', scopes: ['read', 'write'] },
  { externalId: 'brook', fullname: 'Brook', type: 'AGENT', role: 'MEMBER', scopes: ['read', 'write'] }
]
const STATES = [
  { name: 'Triage', category: 'TRIAGE' },
  { name: 'Backlog', category: 'BACKLOG' },
  { name: 'Todo', category: 'UNSTARTED' },
  { name: 'In Progress', category: 'STARTED' },
  { name: 'In Review', category: 'STARTED' },
  { name: 'Done', category: 'COMPLETED' },
  { name: 'Canceled', category: 'CANCELED' }
]
const STEPS = ['Backlog', 'Todo', 'In Progress', 'In Review', 'Done']
/** How long an issue is in each step before the last, in relation to each other. */
const STEP_LENGTHS = [6, 3, 4, 1]
const LABELS = { Bug: '#ef4444', Feature: '#8b5cf6', Docs: '#0ea5e9', Performance: '#f59e0b', Security: '#10b981' }
/** With days before the creation of the board; negative ones are after it. */
const PROJECTS = [
  {
    ...{ externalId: 'export', name: 'Reliable export', team: 'ENG', state: 'STARTED', lead: 'mara' },
    ...{ startsDaysAgo: 45, targetDaysAgo: -25 },
    milestones: [
      { name: 'Exports of any size', daysAgo: -5, issues: ['stream', 'resume'] },
      { name: 'Right in every time zone', daysAgo: -20, issues: ['zone', 'announce'] }
    ]
  },
  {
    ...{ externalId: 'onboarding', name: 'First ten minutes', team: 'ENG', state: 'PLANNED', lead: 'jonas' },
    ...{ startsDaysAgo: -5, targetDaysAgo: -60 },
    milestones: [{ name: 'A guide for each client', daysAgo: -25, issues: ['docs'] }]
  },
  {
    ...{ externalId: 'uptime', name: 'Nobody is woken at night', team: 'OPS', state: 'STARTED', lead: 'jonas' },
    ...{ startsDaysAgo: 30, targetDaysAgo: -40 },
    milestones: []
  }
]

export async function* boardLines(now: Date): AsyncGenerator<string> {
  const at = (daysAgo: number) => daysBefore(now, daysAgo).toISOString()
  const line = (kind: string, fields: Line) => JSON.stringify({ kind, ...fields })
  for (const person of PEOPLE) yield line('account', { ...person, createdAt: at(60) })
  yield line('team', { identifier: 'ENG', name: 'Product', states: STATES })
  yield line('team', { identifier: 'OPS', name: 'Operations', states: STATES })
  for (const [name, color] of Object.entries(LABELS)) yield line('label', { name, color })
  yield* projectLines(at, line)
  const cycle = { externalId: 'cycle', team: 'ENG', name: 'This fortnight', startsAt: at(8), endsAt: at(-6) }
  yield line('cycle', { ...cycle, createdAt: at(9) })
  for (const issue of ISSUES) yield line('issue', issueLine(issue, at))
  for (const { id, author = 'mara', blocks = [], parent, related = [] } of ISSUES) {
    const from = { issue: id, createdBy: author }
    for (const other of blocks) yield line('relation', { ...from, type: 'BLOCKS', relatedIssue: other })
    for (const other of related) yield line('relation', { ...from, type: 'RELATED', relatedIssue: other })
    if (parent !== undefined) yield line('relation', { issue: id, type: 'PARENT', relatedIssue: parent })
  }
  for (const { id, comments = [], changed } of ISSUES) {
    for (const [n, [author, bodyMarkdown]] of comments.entries()) {
      const createdAt = at(changed + (comments.length - n) / 10)
      yield line('comment', { externalId: `${id}-${n}`, issue: id, author, bodyMarkdown, createdAt })
    }
  }
  for (const [n, entry] of KNOWLEDGE.entries()) {
    yield line('knowledge', { externalId: `known-${n}`, ...entry, createdAt: at(30 - n) })
  }
}

type DaysAgo = (daysAgo: number) => string

function* projectLines(at: DaysAgo, line: (kind: string, fields: Line) => string): Generator<string> {
  const day = (daysAgo: number) => at(daysAgo).slice(0, 'YYYY-MM-DD'.length)
  for (const { milestones, startsDaysAgo, targetDaysAgo, ...project } of PROJECTS) {
    const dates = { startsOn: day(startsDaysAgo), targetOn: day(targetDaysAgo) }
    yield line('project', { ...project, ...dates, createdBy: 'mara', createdAt: at(50) })
    for (const { name, daysAgo } of milestones) {
      const date = day(daysAgo)
      yield line('milestone', { externalId: name, project: project.externalId, name, date, createdAt: at(50) })
    }
  }
}

function issueLine({ id, team, title, text, state, ...issue }: SampleIssue, at: DaysAgo): Line {
  const { author = 'mara', assignee, labels = [], priority = 0, project, filed, changed } = issue
  const milestone = PROJECTS.flatMap(({ milestones }) => milestones).find(({ issues }) => issues.includes(id))?.name
  return {
    externalId: id,
    team,
    title,
    state,
    labels,
    priority,
    author,
    updatedBy: assignee ?? author,
    descriptionMarkdown: text,
    ...(assignee && { assignee, assignedAt: at((filed + changed) / 2) }),
    ...(project && { project }),
    ...(milestone !== undefined && { milestone }),
    ...(project === 'export' && changed < 8 && { cycle: 'cycle' }),
    createdAt: at(filed),
    updatedAt: at(changed),
    ...(state === 'Done' && { completedAt: at(changed) }),
    history: history(issue, state, at)
  }
}

/** Over the days between its creation and the last change. */
function history(
  { filed, changed, assignee }: Pick<SampleIssue, 'filed' | 'changed' | 'assignee'>,
  state: string,
  at: DaysAgo
) {
  const steps = STEPS.slice(0, STEPS.indexOf(state) + 1)
  const actor = assignee ?? 'mara'
  const lengthOf = (count: number) => STEP_LENGTHS.slice(0, count).reduce((sum, length) => sum + length, 0)
  return steps.slice(1).map((to, n) => ({
    at: at(filed - ((filed - changed) * lengthOf(n + 1)) / lengthOf(steps.length - 1)),
    actor,
    change: 'state',
    from: steps[n]!,
    to
  }))
}
