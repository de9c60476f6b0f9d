import assert from 'node:assert/strict'
import type { PlannedCall } from './model/server.ts'
import type { Tracker } from './tracker.ts'

/** An issue for one client, which works on it as an agent of its own. */
export interface Task {
  id: string
  key: string
  note: string
  resolution: string
}

const CRITERIA = ['the date is kept after a change of the title', 'a test shows it']

export async function fileTask(tracker: Tracker, client: string): Promise<Task> {
  const { id, key } = await tracker.ok<{ id: string; key: string }>('POST', '/v1/issues', {
    teamId: tracker.team,
    title: `Due dates get lost, found with ${client}`,
    descriptionMarkdown: [
      'A change of the title removes the due date.',
      '',
      ...CRITERIA.map(each => `- [ ] ${each}`)
    ].join('\n')
  })
  return {
    id,
    key,
    note: `${client}: the update writes all columns.`,
    resolution: `${client}: only what is sent is written.`
  }
}

/** The calls of a whole task: tool and arguments. */
export const callsOf = ({ key, note, resolution }: Task): ReadonlyArray<readonly [string, Record<string, unknown>]> => [
  ['list_tasks', { ready: true }],
  ['get_task', { task: key }],
  ['pick_up_task', { task: key }],
  ['update_task', { task: key, met: [1] }],
  ['add_note', { task: key, note }],
  ['close_task', { task: key, resolution, met: [2] }]
]
export const planOf = (task: Task): PlannedCall[] => callsOf(task).map(([tool, args]) => ({ tools: [tool], args }))

/** @throws AssertionError unless the agent has finished the issue, as the server has it */
export async function assertDone(tracker: Tracker, task: Task, agent: string): Promise<void> {
  const issue = await tracker.ok<Context>('GET', `/v1/issues/${task.key}/context`)
  assert.equal(issue.state.category, 'COMPLETED', `${task.key} is ${issue.state.name}`)
  assert.equal(issue.assignee?.fullname, agent, `${task.key} is assigned to the agent`)
  assert.deepEqual(issue.definitionOfDone, { met: CRITERIA.length, total: CRITERIA.length })
  const written = issue.comments.map(({ author, bodyMarkdown }) => `${author.fullname}: ${bodyMarkdown}`)
  for (const text of [task.note, task.resolution]) {
    assert.ok(
      written.some(comment => comment.startsWith(`${agent}: `) && comment.includes(text)),
      `“${text}” is a comment`
    )
  }
}

interface Context {
  state: { name: string; category: string }
  assignee: { fullname: string } | null
  definitionOfDone: { met: number; total: number }
  comments: Array<{ author: { fullname: string }; bodyMarkdown: string }>
}
