export interface SampleIssue {
  id: string
  team: 'ENG' | 'OPS'
  title: string
  text: string
  state: string
  author?: string
  assignee?: string
  labels?: string[]
  priority?: number
  project?: string
  /** Days since its creation, and since its last change. */
  filed: number
  changed: number
  blocks?: string[]
  related?: string[]
  parent?: string
  comments?: Array<[author: string, markdown: string]>
}

const criteria = (why: string, ...items: Array<[text: string, isMet?: boolean]>): string =>
  `${why}\n\n## Acceptance criteria\n\n${items.map(([text, isMet]) => `- [${isMet ? 'x' : ' '}] ${text}`).join('\n')}\n`

export const ISSUES: readonly SampleIssue[] = [
  {
    id: 'zone',
    team: 'ENG',
    title: 'Due dates lose their time zone in the CSV export',
    text: criteria(
      'Dates in the CSV are one day early for readers west of UTC.\n\n' +
        '```ts\nrow.due = issue.dueDate.toISOString().slice(0, 10)\n```\n\n' +
        '| Written | Read in Lima |\n| --- | --- |\n| 2026-03-01 | **2026-02-28** |',
      ['a failing test with `TZ=America/Los_Angeles`', true],
      ['the writer takes the day as text', true],
      ['exports of the last month are written again']
    ),
    state: 'In Progress',
    assignee: 'ada',
    labels: ['Bug'],
    priority: 1,
    project: 'export',
    filed: 6,
    changed: 0.05,
    blocks: ['announce'],
    comments: [
      ['jonas', 'Reproduced with `TZ=America/Lima`: a day early from 19:00 on.'],
      ['ada', 'The writer formats an instant. I take the day as **text** instead, and leave the reader alone.']
    ]
  },
  {
    id: 'announce',
    team: 'ENG',
    title: 'Tell customers which exports were wrong',
    text: criteria(
      'Those who exported since March must know.',
      ['a list of accounts', false],
      ['a mail in two languages']
    ),
    state: 'Todo',
    assignee: 'mara',
    labels: ['Docs'],
    priority: 2,
    project: 'export',
    filed: 5,
    changed: 1
  },
  {
    id: 'resume',
    team: 'ENG',
    title: 'A broken download of an export can be resumed',
    text: criteria(
      'An export of 4 GB over a train’s network never ends.',
      ['`Range` requests are answered', true],
      ['a changed export answers 412', true],
      ['documented', true]
    ),
    state: 'In Review',
    assignee: 'brook',
    labels: ['Feature'],
    priority: 2,
    project: 'export',
    filed: 12,
    changed: 0.4,
    comments: [['brook', 'Ready: ranges, and `If-Range` by the digest of the export.']]
  },
  {
    id: 'stream',
    team: 'ENG',
    title: 'Exports are streamed instead of held in memory',
    text: criteria('The server dies at 2 GB.', ['memory stays below 200 MB', true], ['a test that measures it', true]),
    state: 'Done',
    assignee: 'ada',
    labels: ['Performance'],
    priority: 1,
    project: 'export',
    filed: 25,
    changed: 9,
    comments: [
      ['ada', 'Cause: all rows were collected before the first was written. Rows are written as they are read.']
    ]
  },
  {
    id: 'wizard',
    team: 'ENG',
    title: 'The first start asks for nothing that has a default',
    text: criteria('Seven questions before anything is seen.', ['two questions at most'], ['the rest in the settings']),
    state: 'In Progress',
    assignee: 'jonas',
    labels: ['Feature'],
    priority: 3,
    project: 'onboarding',
    filed: 14,
    changed: 0.8
  },
  {
    id: 'tour',
    team: 'ENG',
    title: 'A sample board to look around in',
    text: criteria('An empty board teaches nothing.', ['one command makes it', true], ['one removes it']),
    state: 'In Progress',
    assignee: 'brook',
    labels: ['Feature'],
    priority: 3,
    project: 'onboarding',
    parent: 'wizard',
    filed: 10,
    changed: 0.2
  },
  {
    id: 'docs',
    team: 'ENG',
    title: 'The guide for agents names the tools that there are',
    text: criteria('Two of them were renamed.', ['generated from the code']),
    state: 'Todo',
    labels: ['Docs'],
    priority: 4,
    project: 'onboarding',
    filed: 9,
    changed: 3
  },
  {
    id: 'search',
    team: 'ENG',
    title: 'Search finds an issue by the words of its resolution',
    text: criteria('What was done stands in a comment.', ['a hit shows the resolution', true]),
    state: 'Done',
    assignee: 'brook',
    labels: ['Feature'],
    priority: 2,
    filed: 30,
    changed: 16,
    comments: [['brook', 'The last comment before the close is indexed, and shown in the hit.']]
  },
  {
    id: 'cookie',
    team: 'ENG',
    title: 'A session ends when the account is removed',
    text: criteria('A removed account kept its open tabs.', ['refused with the next request', true]),
    state: 'Done',
    assignee: 'ada',
    labels: ['Security', 'Bug'],
    priority: 1,
    filed: 20,
    changed: 12
  },
  {
    id: 'colours',
    team: 'ENG',
    title: 'Labels can be told apart without their colours',
    text: criteria('Red and green look the same to some.', ['a name beside each colour', true]),
    state: 'In Review',
    assignee: 'mara',
    labels: ['Feature'],
    priority: 3,
    filed: 8,
    changed: 1.2
  },
  {
    id: 'attachments',
    team: 'ENG',
    title: 'Files can be attached to an issue',
    text: 'Screenshots are sent by mail today.',
    state: 'Backlog',
    labels: ['Feature'],
    priority: 4,
    filed: 40,
    changed: 22
  },
  {
    id: 'offline',
    team: 'ENG',
    title: 'The board opens without a network',
    text: 'On the train. Reading would be enough.',
    state: 'Backlog',
    author: 'jonas',
    labels: ['Feature'],
    priority: 0,
    filed: 33,
    changed: 20
  },
  {
    id: 'emoji',
    team: 'ENG',
    title: 'Emoji in a title break the preview of the link',
    text: 'Seen with a family emoji: it is cut into four people.',
    state: 'Triage',
    author: 'brook',
    labels: ['Bug'],
    filed: 1,
    changed: 0.6
  },
  {
    id: 'paste',
    team: 'ENG',
    title: 'A pasted table loses its header',
    text: 'From a spreadsheet. The first row becomes a row like the others.',
    state: 'Triage',
    author: 'jonas',
    labels: ['Bug'],
    filed: 2,
    changed: 2
  },
  {
    id: 'gantt',
    team: 'ENG',
    title: 'A Gantt chart',
    text: 'Asked for by one team, which uses cycles now.',
    state: 'Canceled',
    labels: ['Feature'],
    filed: 45,
    changed: 18
  },
  {
    id: 'backup',
    team: 'OPS',
    title: 'A backup is restored once a week, to know that it works',
    text: criteria(
      'The last one that was needed was empty.',
      ['a job restores into a scratch database'],
      ['it counts rows']
    ),
    state: 'In Progress',
    assignee: 'jonas',
    labels: ['Security'],
    priority: 1,
    project: 'uptime',
    filed: 11,
    changed: 0.3,
    related: ['alerts']
  },
  {
    id: 'alerts',
    team: 'OPS',
    title: 'Alerts that nobody acts on are removed',
    text: criteria('Forty a night, two of them real.', ['each alert names what to do'], ['at most three a night']),
    state: 'Todo',
    assignee: 'jonas',
    labels: ['Performance'],
    priority: 2,
    project: 'uptime',
    filed: 15,
    changed: 4
  },
  {
    id: 'disk',
    team: 'OPS',
    title: 'The disk of the log server fills up on Sundays',
    text: criteria('The weekly report logs every row.', ['the report logs its totals only', true]),
    state: 'Done',
    assignee: 'brook',
    labels: ['Bug'],
    priority: 2,
    project: 'uptime',
    filed: 28,
    changed: 21,
    comments: [['brook', 'Cause: the report ran with the level `trace`. It logs totals now: 4 KB instead of 31 GB.']]
  },
  {
    id: 'certs',
    team: 'OPS',
    title: 'Certificates are renewed a week before they end',
    text: criteria('It was a day, once too late.', ['renewed at 7 days', true], ['an alert at 5']),
    state: 'In Review',
    assignee: 'ada',
    labels: ['Security'],
    priority: 1,
    project: 'uptime',
    filed: 7,
    changed: 0.9
  }
]

export const KNOWLEDGE = [
  {
    type: 'PITFALL',
    content:
      'Tests of dates need a zone west of UTC: `TZ=America/Los_Angeles`. East of it the mistakes cannot be seen.',
    tags: ['dates', 'tests'],
    team: 'ENG',
    issue: 'zone',
    createdBy: 'ada'
  },
  {
    type: 'DECISION',
    content: 'A due date is a day, not a moment: it is stored and written as text, and never converted.',
    tags: ['dates'],
    team: 'ENG',
    createdBy: 'mara'
  },
  {
    type: 'CONVENTION',
    content: 'Exports are written row by row; nothing collects them.',
    tags: ['export'],
    team: 'ENG',
    project: 'export',
    createdBy: 'ada'
  },
  {
    type: 'HOWTO',
    content: 'The log server is reached through the bastion: `ssh -J bastion logs`.',
    tags: ['servers'],
    team: 'OPS',
    createdBy: 'jonas'
  },
  {
    type: 'FACT',
    content: 'The weekly report runs on Sundays at 03:00 UTC.',
    tags: ['report'],
    team: 'OPS',
    issue: 'disk',
    status: 'DISPUTED',
    createdBy: 'brook'
  }
]
