/**
 * The board that scripts/dump-release.ts creates on the server of a release, and test/upgrades.test.ts reads. Both use
 * only features of every release; a change here is for the dumps of later releases, too.
 */

/** One request, whose answer must be a 2xx. */
export type Send = <T extends object>(path: string, body?: object) => Promise<T>

export const DESCRIPTION =
  'Due dates are missing in the CSV: “2026-11-21” becomes ``.\n\n' +
  '- [x] dates are exported\n- [ ] a test says so\n\n```ts\nexport const x = 1 // naïve\n```\n'
export const NOTE = 'The writer drops the column `due_date`; **fixed** in the exporter.'
export const FACT = 'The CSV exporter writes columns in the order of the header file.'
export const AGENT = 'Ada'
export const PROJECT = 'Exports'

/** Creates a small board: a blocker, an issue with everything that an issue can have, a closed one. */
export async function fileBoard(send: Send): Promise<void> {
  await send('/v1/users/agents', { name: AGENT })
  const project = await send<{ id: string }>('/v1/projects', { name: PROJECT })
  const labels = await send<Array<{ id: string; name: string }>>('/v1/labels')
  const bug = labels.find(label => label.name === 'Bug')!

  const blocker = await send<{ id: string }>('/v1/issues', { teamId: 'ENG', title: 'The header file is outdated' })
  const issue = await send<{ id: string }>('/v1/issues', {
    teamId: 'ENG',
    title: 'The export loses dates',
    descriptionMarkdown: DESCRIPTION,
    priority: 2,
    estimate: 3,
    dueDate: '2027-01-31',
    labelIds: [bug.id],
    projectId: project.id
  })
  await send('/v1/issues', { teamId: 'ENG', title: 'Read the exporter', parentId: issue.id })
  await send('/v1/issue_relations', { type: 'BLOCKS', issueId: blocker.id, relatedIssueId: issue.id })
  await send(`/v1/issues/${issue.id}/links`, { url: 'https://example.org/export', title: 'The report' })
  await send(`/v1/issues/${issue.id}/pick_up`, {})
  await send(`/v1/issue_comments?issueId=${issue.id}`, { bodyMarkdown: NOTE })

  const closed = await send<{ id: string }>('/v1/issues', { teamId: 'ENG', title: 'The import loses times' })
  const states = await send<Array<{ id: string; category: string }>>('/v1/ENG/workflows')
  const done = states.find(state => state.category === 'COMPLETED')!
  await send(`/v1/issue_comments?issueId=${closed.id}`, {
    bodyMarkdown: 'The parser knows zones now.',
    stateId: done.id
  })
  await send('/v1/knowledge', { content: FACT })
}
