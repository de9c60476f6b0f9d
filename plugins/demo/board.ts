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
const LABELS = { Bug: '#ef4444', Feature: '#8b5cf6', Docs: '#0ea5e9', Performance: '#f59e0b', Security: '#10b981' }
const PROJECTS = [
  { externalId: 'export', name: 'Reliable export', team: 'ENG' },
  { externalId: 'onboarding', name: 'First ten minutes', team: 'ENG' },
  { externalId: 'uptime', name: 'Nobody is woken at night', team: 'OPS' }
]

export async function* boardLines(now: Date): AsyncGenerator<string> {
  const at = (daysAgo: number) => daysBefore(now, daysAgo).toISOString()
  const line = (kind: string, fields: Line) => JSON.stringify({ kind, ...fields })
  for (const person of PEOPLE) yield line('account', { ...person, createdAt: at(60) })
  yield line('team', { identifier: 'ENG', name: 'Product', states: STATES })
  yield line('team', { identifier: 'OPS', name: 'Operations', states: STATES })
  for (const [name, color] of Object.entries(LABELS)) yield line('label', { name, color })
  for (const project of PROJECTS) yield line('project', { ...project, createdBy: 'mara', createdAt: at(50) })
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

function issueLine({ id, team, title, text, state, ...issue }: SampleIssue, at: (daysAgo: number) => string): Line {
  const { author = 'mara', assignee, labels = [], priority = 0, project, filed, changed } = issue
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
    ...(project === 'export' && changed < 8 && { cycle: 'cycle' }),
    createdAt: at(filed),
    updatedAt: at(changed),
    ...(state === 'Done' && { completedAt: at(changed) }),
    history: history(issue, state, at)
  }
}

/** Spread over the days between its creation and the last change. */
function history(
  { filed, changed, assignee }: Pick<SampleIssue, 'filed' | 'changed' | 'assignee'>,
  state: string,
  at: (daysAgo: number) => string
) {
  const steps = STEPS.slice(0, STEPS.indexOf(state) + 1)
  const actor = assignee ?? 'mara'
  return steps.slice(1).map((to, n) => ({
    at: at(filed - ((filed - changed) * (n + 1)) / (steps.length - 1)),
    actor,
    change: 'state',
    from: steps[n]!,
    to
  }))
}
