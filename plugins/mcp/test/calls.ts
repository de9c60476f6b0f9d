/*
 * Calls of tools as models write them from vague memory, and as clients send them that write arguments as text; each
 * with its outcome. An unambiguous call is executed; others are refused with a sentence that leads to the right call.
 * Each call gets a new board of calls.test.ts: ENG-1 with two criteria is in Todo, ENG-2 too.
 */

import { TEXT, type ModelCall } from './model-call.ts'

/** The day some days from today. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const ISO = 'The export writes ISO dates'
/** The number of `A test exports one issue with a date`. */
const ONE_LEFT = { unmet: [2] }
const LONG = 'x'.repeat(2100)

const TASKS: ModelCall[] = [
  { what: 'key without dash', tool: 'get_task', args: { task: 'ENG1' }, done: { key: 'ENG-1' } },
  { what: 'number only', tool: 'get_task', args: { task: '1' }, done: { key: 'ENG-1' } },
  {
    what: 'number only, two teams',
    tool: 'get_task',
    args: { task: '1' },
    setup: 'two teams',
    refused: /^arguments\.task '1' may be of several teams: send the key, ENG-1 or OPS-1\.$/
  },
  { what: 'a number', tool: 'get_task', args: { task: 1 }, done: { key: 'ENG-1' } },
  { what: 'hash', tool: 'get_task', args: { task: '#1' }, done: { key: 'ENG-1' } },
  { what: 'hash and key', tool: 'get_task', args: { task: '#ENG-2' }, done: { key: 'ENG-2' } },
  { what: 'spaces and case', tool: 'get_task', args: { task: ' eng-1 ' }, done: { key: 'ENG-1' } },
  { what: 'full stop', tool: 'get_task', args: { task: 'ENG-1.' }, done: { key: 'ENG-1' } },
  { what: 'URL', tool: 'get_task', args: { task: 'https://tracker.example/issues/ENG-1' }, done: { key: 'ENG-1' } },
  { what: 'page', tool: 'get_task', args: { task: 'https://tracker.example/issue/ENG-1' }, done: { key: 'ENG-1' } },
  {
    what: 'URL of another tracker',
    tool: 'get_task',
    args: { task: 'https://github.com/acme/app/issues/1' },
    refused: /^There is no issue 'https:\/\/github\.com\/acme\/app\/issues\/1'.*by its key, such as ENG-12/
  },
  {
    what: 'title instead of key',
    tool: 'get_task',
    args: { task: 'The export loses dates' },
    refused: /^There is no issue 'The export loses dates'.*by its key, such as ENG-12, or search for it\.$/
  },
  { what: 'argument id instead of task', tool: 'get_task', args: { id: 'ENG-1' }, done: { key: 'ENG-1' } },
  { what: 'task_id instead of task', tool: 'get_task', args: { task_id: 'ENG-1' }, done: { key: 'ENG-1' } },
  {
    what: 'two names of a task',
    tool: 'get_task',
    args: { id: 'ENG-1', key: 'ENG-2' },
    refused: /^arguments\.id is not an argument of this tool; did you mean 'task'\? Its arguments are: task/
  }
]

const FIELDS: ModelCall[] = [
  {
    what: 'state by wrong name',
    tool: 'update_task',
    args: { task: 'ENG-1', state: 'in_progress' },
    done: { state: 'In Progress' }
  },
  {
    what: 'state doing',
    tool: 'update_task',
    args: { task: 'ENG-1', state: 'Doing' },
    refused: /^There is no state 'Doing'; there are: (?=[^]*In Progress)(?=[^]*Todo)/
  },
  {
    what: 'state category as state',
    tool: 'update_task',
    args: { task: 'ENG-1', state: 'STARTED' },
    done: { state: 'In Progress' }
  },
  { what: 'back', tool: 'update_task', args: { task: 'ENG-1', state: 'todo' }, done: { state: 'Todo' } },
  {
    what: 'label that does not exist',
    tool: 'update_task',
    args: { task: 'ENG-1', addLabels: ['performance'] },
    refused: /^There is no label 'performance'; there are: (?=.*Bug)(?=.*Docs)(?=.*Feature)/
  },
  { what: 'label as string', tool: 'update_task', args: { task: 'ENG-1', labels: 'Bug' }, done: { labels: ['Bug'] } },
  {
    what: 'label of update_task: replaced or added?',
    tool: 'update_task',
    args: { task: 'ENG-1', label: 'Bug' },
    refused: /^arguments\.label is not an argument of this tool; did you mean 'labels'\?/
  },
  { what: 'priority 1', tool: 'update_task', args: { task: 'ENG-1', priority: 1 }, done: { priority: 'urgent' } },
  {
    what: 'priority P1',
    tool: 'update_task',
    args: { task: 'ENG-1', priority: 'P1' },
    refused: /^arguments\.priority must be one of: none, urgent, high, medium, low\.$/
  },
  { what: 'priority High', tool: 'update_task', args: { task: 'ENG-1', priority: 'High' }, done: { priority: 'high' } },
  {
    what: 'dueDate ISO',
    tool: 'update_task',
    args: { task: 'ENG-1', dueDate: '2026-12-24' },
    then: { dueDate: '2026-12-24' }
  },
  {
    what: 'due_date',
    tool: 'update_task',
    args: { task: 'ENG-1', due_date: '2026-12-24' },
    then: { dueDate: '2026-12-24' }
  },
  {
    what: 'dueDate in words',
    tool: 'update_task',
    args: { task: 'ENG-1', dueDate: 'Tomorrow' },
    done: { dueDate: dayIn(1) }
  },
  { what: 'due date', tool: 'update_task', args: { task: 'ENG-1', due: ' +3d ' }, done: { dueDate: dayIn(3) } },
  {
    what: 'due in other words',
    tool: 'update_task',
    args: { task: 'ENG-1', due: 'end of next week' },
    refused: /^arguments\.due 'end of next week' is no day: send YYYY-MM-DD, today, .* next friday .*UTC\.$/
  },
  {
    what: 'a day that does not exist',
    tool: 'create_task',
    args: { title: 'Due', description: TEXT, acceptanceCriteria: ['a'], due: '2027-02-29' },
    refused: /^arguments\.due '2027-02-29' is no day: send YYYY-MM-DD/
  },
  { what: 'estimate as number', tool: 'update_task', args: { task: 'ENG-1', estimate: 3 }, done: { estimate: 3 } },
  { what: 'estimate as text', tool: 'update_task', args: { task: 'ENG-1', estimate: '0.5' }, done: { estimate: 0.5 } },
  {
    what: 'estimate in words',
    tool: 'update_task',
    args: { task: 'ENG-1', estimate: 'two days' },
    refused: /^arguments\.estimate 'two days' is no number: send one such as 3 or 0\.5\.$/
  },
  {
    what: 'estimate below 0',
    tool: 'update_task',
    args: { task: 'ENG-1', estimate: '-1' },
    refused: /^arguments\.estimate must be >= 0/
  },
  {
    what: 'cycle that does not exist',
    tool: 'update_task',
    args: { task: 'ENG-1', cycle: 'Sprint 9' },
    refused: /^There is no cycle 'Sprint 9'/
  },
  {
    what: 'relation',
    tool: 'update_task',
    args: { task: 'ENG-1', relations: ['BLOCKS ENG-2'] },
    done: { relations: ['BLOCKS ENG-2'] }
  },
  {
    what: 'relation in other words',
    tool: 'update_task',
    args: { task: 'ENG-1', relations: 'blocked by #eng-2, Related to ENG3' },
    done: { relations: ['BLOCKED ENG-2', 'RELATED ENG-3'] }
  },
  {
    what: 'relations as objects',
    tool: 'update_task',
    args: {
      task: 'ENG-1',
      relations: [
        { type: 'DUPLICATE_OF', task: 'ENG-2' },
        { type: 'SIMILAR', issue: { key: 'ENG-3' } }
      ]
    },
    done: { relations: ['DUPLICATE_OF ENG-2', 'SIMILAR ENG-3'] }
  },
  {
    what: 'relation without a task',
    tool: 'update_task',
    args: { task: 'ENG-1', relations: ['BLOCKED'] },
    refused:
      /^arguments\.relations 'BLOCKED' is no relation: send its type and a task, such as RELATED ENG-2; .*SIMILAR\.$/
  },
  {
    what: 'relation of an unknown type',
    tool: 'update_task',
    args: { task: 'ENG-1', relations: ['CAUSES ENG-2'] },
    refused: /^arguments\.relations 'CAUSES ENG-2' is no relation/
  },
  {
    what: 'relation to an unknown task',
    tool: 'update_task',
    args: { task: 'ENG-1', relations: ['RELATED ENG-999'] },
    refused: /^There is no issue 'ENG-999'/
  },
  {
    what: 'relation to itself',
    tool: 'update_task',
    args: { task: 'ENG-1', relations: ['RELATED ENG-1'] },
    refused: /^ENG-1 cannot be related to itself\.$/
  },
  {
    what: 'removal of a relation that is not there',
    tool: 'update_task',
    args: { task: 'ENG-1', relations: ['none ENG-2'] },
    refused: /^ENG-1 has no relation to ENG-2/
  },
  { what: 'assignee me', tool: 'update_task', args: { task: 'ENG-1', assignee: 'me' }, done: { assignee: 'Caller' } },
  {
    what: 'assignee @name',
    tool: 'update_task',
    args: { task: 'ENG-1', assignee: '@Other' },
    done: { assignee: 'Other' }
  },
  {
    what: 'assignee null',
    tool: 'update_task',
    args: { task: 'ENG-2', assignee: null },
    then: { assignee: undefined },
    of: 'ENG-2'
  },
  {
    what: 'assignee ""',
    tool: 'update_task',
    args: { task: 'ENG-2', assignee: '' },
    then: { assignee: undefined },
    of: 'ENG-2'
  },
  {
    what: 'null from a client that sends every argument',
    tool: 'update_task',
    args: {
      ...{ task: 'ENG-2', title: 'Sent with nulls', description: null, assignee: null, state: null, labels: null },
      ...{
        priority: null,
        due: null,
        estimate: null,
        cycle: null,
        relations: null,
        parent: null,
        project: null,
        addLabels: null,
        removeLabels: null
      },
      ...{ met: null, unmet: null, session: null, rev: null }
    },
    then: { title: 'Sent with nulls', assignee: { fullname: 'Caller' } },
    of: 'ENG-2'
  },
  {
    what: 'assignee unknown',
    tool: 'update_task',
    args: { task: 'ENG-1', assignee: 'Bob' },
    refused: /^There is no member 'Bob'; .*Administrator/
  },
  {
    what: 'blockers in one text',
    tool: 'update_task',
    args: { task: 'ENG-3', blockedBy: 'ENG-1, ENG-2' },
    then: { relations: [{}, {}] },
    of: 'ENG-3'
  },
  {
    what: 'labels as JSON',
    tool: 'update_task',
    args: { task: 'ENG-1', labels: '["Bug"]' },
    done: { labels: ['Bug'] }
  },
  {
    what: 'nothing but the task',
    tool: 'update_task',
    args: { task: 'ENG-1' },
    refused: /^There is nothing to change: send/
  }
]

const CRITERIA: ModelCall[] = [
  { what: 'criterion by fragment', tool: 'update_task', args: { task: 'ENG-1', met: ['ISO dates'] }, done: ONE_LEFT },
  {
    what: 'a fragment of two criteria',
    tool: 'update_task',
    args: { task: 'ENG-1', met: ['export'] },
    refused: /^Several criteria contain "export"; name one by its number\. The criteria are: 1\. The export/
  },
  {
    what: 'criterion w/o punctuation+case',
    tool: 'update_task',
    args: { task: 'ENG-1', met: ['the export writes iso dates.'] },
    done: ONE_LEFT
  },
  {
    what: 'criterion 0',
    tool: 'update_task',
    args: { task: 'ENG-1', met: [0] },
    refused: /^arguments\.met\.0 must be >= 1\.$/
  },
  { what: 'met as number', tool: 'update_task', args: { task: 'ENG-1', met: 1 }, done: ONE_LEFT },
  { what: 'met as "1"', tool: 'update_task', args: { task: 'ENG-1', met: ['1'] }, done: ONE_LEFT },
  { what: 'met as JSON', tool: 'update_task', args: { task: 'ENG-1', met: '[1]' }, done: ONE_LEFT },
  {
    what: 'met true',
    tool: 'update_task',
    args: { task: 'ENG-1', met: true },
    refused: /^arguments\.met\.0 does not fit: .*number.*text.*\{criterion, evidence\}\.$/
  },
  { what: '- [ ] prefix', tool: 'update_task', args: { task: 'ENG-1', met: [`- [ ] ${ISO}`] }, done: ONE_LEFT },
  {
    what: 'evidence object with text',
    tool: 'update_task',
    args: { task: 'ENG-1', met: [{ text: ISO, evidence: 'x' }] },
    done: ONE_LEFT,
    then: { definitionOfDone: { met: 1, total: 2, items: [{ text: ISO, evidence: 'x' }] } }
  },
  {
    what: 'evidence object as JSON',
    tool: 'update_task',
    args: { task: 'ENG-1', met: [`{"criterion": "1", "evidence": "x"}`] },
    done: ONE_LEFT
  }
]

const CREATED = { key: 'ENG-4' }
const FILED: ModelCall[] = [
  {
    what: 'CRLF markdown',
    tool: 'create_task',
    args: {
      title: 'CRLF',
      description: 'First line.\r\n\r\nSecond line that says what is wrong.\r\n\r\n- [ ] one\r\n- [ ] two\r\n',
      team: 'ENG'
    },
    done: CREATED,
    then: {
      descriptionMarkdown: /^First line\.\s+Second line/,
      definitionOfDone: { met: 0, total: 2 }
    },
    of: 'ENG-4'
  },
  {
    what: 'line breaks of two characters',
    tool: 'create_task',
    args: { title: 'Escaped', description: `First line.\\n\\n${TEXT}\\n\\n- [ ] one\\n- [ ] two` },
    done: CREATED,
    then: { descriptionMarkdown: `First line.\n\n${TEXT}\n\n- [ ] one\n- [ ] two`, definitionOfDone: { total: 2 } },
    of: 'ENG-4'
  },
  {
    what: 'a text about the two characters',
    tool: 'create_task',
    args: {
      title: 'Split',
      description: 'It splits at `\\n` and at \\n alike, see C:\\new.',
      acceptanceCriteria: ['a']
    },
    then: { descriptionMarkdown: /^It splits at `\\n` and at \\n alike, see C:\\new\./ },
    of: 'ENG-4'
  },
  {
    what: 'create w/o team, one team',
    tool: 'create_task',
    args: { title: 'No team', description: TEXT, acceptanceCriteria: ['a'] },
    done: CREATED
  },
  {
    what: 'create w/o team, two teams',
    tool: 'create_task',
    args: { title: 'No team', description: TEXT, acceptanceCriteria: ['a'] },
    setup: 'two teams',
    refused: /^arguments\.team is missing.*ENG \(Engineering\).*OPS/
  },
  {
    what: 'criteria as string',
    tool: 'create_task',
    args: { title: 'Str', description: TEXT, acceptanceCriteria: '- a\n- b', team: 'ENG' },
    done: CREATED,
    then: { definitionOfDone: { met: 0, total: 2 } },
    of: 'ENG-4'
  },
  {
    what: 'criteria as JSON',
    tool: 'create_task',
    args: { title: 'JSON', description: TEXT, acceptanceCriteria: '["one","two"]', team: 'ENG' },
    done: CREATED,
    then: { definitionOfDone: { met: 0, total: 2 } },
    of: 'ENG-4'
  },
  {
    what: 'criteria with checkbox prefix',
    tool: 'create_task',
    args: {
      title: 'Prefixes',
      description: TEXT,
      acceptanceCriteria: ['- [ ] a', '[x] b', '* c', '1. d'],
      team: 'ENG'
    },
    done: CREATED,
    then: { definitionOfDone: { met: 1, total: 4 }, descriptionMarkdown: /- \[ \] a\n- \[x\] b\n- \[ \] c\n- \[ \] d/ },
    of: 'ENG-4'
  },
  {
    what: 'project unknown',
    tool: 'create_task',
    args: { title: 'Proj', description: TEXT, acceptanceCriteria: ['a'], project: 'Website', team: 'ENG' },
    refused: /^There is no project 'Website'; there are: none\.$/
  },
  {
    what: 'parent unknown',
    tool: 'create_task',
    args: { title: 'Par', description: TEXT, parent: 'ENG-99999', team: 'ENG' },
    refused: /^There is no issue 'ENG-99999' in this workspace: name it by its key/
  }
]

const LISTS: ModelCall[] = [
  { what: 'huge list', tool: 'list_tasks', args: { limit: 1000 }, done: { total: 3 } },
  { what: 'limit as text', tool: 'list_tasks', args: { limit: '2' }, done: { tasks: [{}, {}], next: String } },
  { what: 'ready as text', tool: 'list_tasks', args: { ready: 'true' }, done: { total: 3 } },
  { what: 'team by name', tool: 'list_tasks', args: { team: 'engineering', limit: 1 }, done: { total: 3 } },
  { what: 'state by wrong name', tool: 'list_tasks', args: { state: 'to-do' }, done: { total: 3 } },
  {
    what: 'stateCategory string',
    tool: 'list_tasks',
    args: { stateCategory: 'STARTED', limit: 1 },
    done: { total: 0 }
  },
  {
    what: 'stateCategory lower',
    tool: 'list_tasks',
    args: { stateCategory: ['started'], limit: 1 },
    done: { total: 0 }
  },
  {
    what: 'status open',
    tool: 'list_tasks',
    args: { status: 'open' },
    refused: /^arguments\.status is not an argument of this tool; did you mean 'state'\? Its arguments are: team/
  },
  {
    what: 'query in list_tasks',
    tool: 'list_tasks',
    args: { query: 'export' },
    refused: /^arguments\.query is not an argument of this tool, but of search_tasks\. Its arguments are: team/
  },
  { what: 'label singular', tool: 'list_tasks', args: { label: 'Bug' }, done: { total: 1, tasks: [{ key: 'ENG-1' }] } },
  {
    what: 'bad cursor',
    tool: 'list_tasks',
    args: { cursor: '2' },
    refused: /^arguments\.cursor .*: send the cursor that the page before has answered/
  },
  { what: 'search empty', tool: 'search_tasks', args: { query: '' }, refused: /^arguments\.query must not be empty/ },
  { what: 'q for query', tool: 'search_tasks', args: { q: 'dates' }, done: { total: 1 } }
]

const STEPS: ModelCall[] = [
  {
    what: 'pick up taken',
    tool: 'pick_up_task',
    args: { task: 'ENG-1' },
    setup: 'taken',
    refused: /^ENG-1 is held by Other since \d{4}-\d\d-\d\dT\d\d:\d\dZ: choose another one, or pick it up with takeover/
  },
  { what: 'pick up without task', tool: 'pick_up_task', args: {}, refused: /^arguments\.task is missing; .*\bnext\b/ },
  {
    what: 'pick up NEXT of a team that is not there',
    tool: 'pick_up_task',
    args: { task: 'Next', team: 'OPS' },
    refused: /^There is no team 'OPS'; there are: ENG \(Engineering\)\.$/
  },
  { what: 'pick up NEXT', tool: 'pick_up_task', args: { task: 'Next' }, done: { key: 'ENG-1' } },
  {
    what: 'close again',
    tool: 'close_task',
    args: { task: 'ENG-1', resolution: 'Done again.' },
    setup: 'closed',
    refused: /^ENG-1 is already closed \(Done\): nothing was changed\. To say more, add a note/
  },
  {
    what: 'close w/o resolution',
    tool: 'close_task',
    args: { task: 'ENG-1' },
    refused: /^arguments\.resolution is missing; .*what was wrong and what was done/,
    then: { state: { name: 'Todo' } }
  },
  {
    what: 'close with a comment instead of a resolution',
    tool: 'close_task',
    args: { task: 'ENG-1', comment: 'Done.' },
    refused: /^arguments\.comment is not an argument of this tool\. Its arguments are: task, resolution/,
    then: { state: { name: 'Todo' } }
  },
  {
    what: 'close with null for a resolution',
    tool: 'close_task',
    args: { task: 'ENG-1', resolution: null },
    refused: /^arguments\.resolution is missing/,
    then: { state: { name: 'Todo' } }
  },
  {
    what: 'comment instead of note',
    tool: 'add_note',
    args: { task: 'ENG-1', comment: 'hi' },
    then: { comments: [{ bodyMarkdown: 'hi' }] }
  },
  {
    what: 'close with state Canceled',
    tool: 'close_task',
    args: { task: 'ENG-2', resolution: 'Not needed.', state: 'Canceled' },
    of: 'ENG-2',
    done: { state: 'Canceled' },
    then: { key: 'ENG-2', state: { name: 'Canceled' } }
  },
  {
    what: 'close with an open state',
    tool: 'close_task',
    args: { task: 'ENG-2', resolution: 'Not needed.', state: 'Todo' },
    refused: /^There is no state of the categories COMPLETED, CANCELED 'Todo'; there are: Done, Canceled\.$/
  },
  {
    what: 'pick up closed',
    tool: 'pick_up_task',
    args: { task: 'ENG-1' },
    setup: 'closed',
    refused: /^ENG-1 is closed \(Done\): reopen it by moving it to another state, or pick up another one\.$/
  },
  {
    what: 'remember more than one fact',
    tool: 'remember',
    args: { content: LONG },
    refused: /^arguments\.content .*2000 characters/
  },
  {
    what: 'kind lower',
    tool: 'remember',
    args: { content: 'The build needs node 24.', kind: 'fact' },
    done: { status: 'ACTIVE' }
  },
  {
    what: 'force as text',
    tool: 'remember',
    args: { content: 'The build needs node 24.', force: 'true' },
    done: { status: 'ACTIVE' }
  },
  {
    what: 'delegate w/o runner',
    tool: 'delegate_task',
    args: { task: 'ENG-2' },
    refused: /plugins\.delegation\.runner/
  }
]

export const CALLS: readonly ModelCall[] = [...TASKS, ...FIELDS, ...CRITERIA, ...FILED, ...LISTS, ...STEPS]
