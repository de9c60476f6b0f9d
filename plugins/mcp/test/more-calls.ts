import { TEXT, type ModelCall } from './model-call.ts'

/* A hundred further calls from vague memory; the outcomes were written before the calls were tried. */

const FACT = 'The build needs node 24.'
const DESCRIPTION = 'The column is empty in every export, and nobody noticed.'
const SECOND = 'A test exports one issue with a date'
const FILING = { description: TEXT, acceptanceCriteria: ['a'] }

const KEYS: ModelCall[] = [
  { what: 'key with an underscore', tool: 'get_task', args: { task: 'eng_1' }, done: { key: 'ENG-1' } },
  { what: 'key with a space', tool: 'get_task', args: { task: 'ENG 1' }, done: { key: 'ENG-1' } },
  { what: 'key with a dash of typography', tool: 'get_task', args: { task: 'ENG–1' }, done: { key: 'ENG-1' } },
  { what: 'key with a zero', tool: 'get_task', args: { task: 'ENG-001' }, done: { key: 'ENG-1' } },
  { what: 'key in brackets', tool: 'get_task', args: { task: '[ENG-1]' }, done: { key: 'ENG-1' } },
  { what: 'key as code', tool: 'get_task', args: { task: '`ENG-1`' }, done: { key: 'ENG-1' } },
  { what: 'key and title', tool: 'get_task', args: { task: 'ENG-1: The export' }, done: { key: 'ENG-1' } },
  { what: 'key as a link', tool: 'get_task', args: { task: '[ENG-1](/issue/ENG-1)' }, done: { key: 'ENG-1' } },
  { what: 'key in a list', tool: 'get_task', args: { task: ['ENG-1'] }, done: { key: 'ENG-1' } },
  { what: 'key in an object', tool: 'get_task', args: { task: { key: 'ENG-1' } }, done: { key: 'ENG-1' } },
  {
    what: 'two keys',
    tool: 'get_task',
    args: { task: ['ENG-1', 'ENG-2'] },
    refused: /^arguments\.task takes one value, not a list: call the tool once for each\.$/
  },
  { what: 'two keys in a text', tool: 'get_task', args: { task: 'ENG-1, ENG-2' }, refused: /^There is no issue/ },
  { what: 'tasks instead of task', tool: 'get_task', args: { tasks: 'ENG-1' }, refused: /did you mean 'task'\?/ },
  { what: 'no key', tool: 'get_task', args: { task: '' }, refused: /^There is no issue ''.*such as ENG-12/ },
  { what: 'null for a key', tool: 'get_task', args: { task: null }, refused: /^arguments\.task is missing/ },
  { what: 'no arguments', tool: 'get_task', args: {}, refused: /^arguments\.task is missing/ },
  { what: 'a version of nothing', tool: 'get_task', args: { task: 'ENG-1', since: 'x' }, done: { key: 'ENG-1' } },
  { what: 'no version', tool: 'get_task', args: { task: 'ENG-1', since: '' }, done: { key: 'ENG-1' } },
  {
    what: 'part in capitals',
    tool: 'get_task',
    args: { task: 'ENG-1', part: 'Description' },
    done: { text: DESCRIPTION }
  },
  {
    what: 'part that is not there',
    tool: 'get_task',
    args: { task: 'ENG-1', part: 'everything' },
    refused: /^There is no part 'everything'; the parts are: description, criteria/
  },
  {
    what: 'parts as in other APIs',
    tool: 'get_task',
    args: { task: 'ENG-1', include: ['comments'] },
    refused: /^arguments\.include is not an argument of this tool\. Its arguments are: task/
  }
]

const LISTS: ModelCall[] = [
  { what: '@me', tool: 'list_tasks', args: { assignee: '@me' }, done: { total: 1, tasks: [{ key: 'ENG-2' }] } },
  { what: 'nobody', tool: 'list_tasks', args: { assignee: 'none' }, done: { total: 2 } },
  {
    // Expected at first: refused with the word none. It can mean nothing else, so it does that.
    what: 'unassigned',
    tool: 'list_tasks',
    args: { assignee: 'unassigned' },
    done: { total: 2 }
  },
  { what: 'assignedTo', tool: 'list_tasks', args: { assignedTo: 'me' }, refused: /did you mean 'assignee'\?/ },
  { what: 'priority as a number', tool: 'list_tasks', args: { priority: '1' }, done: { total: 0 } },
  { what: 'label in lower case', tool: 'list_tasks', args: { labels: 'bug' }, done: { total: 1 } },
  {
    what: 'one label that is not there',
    tool: 'list_tasks',
    args: { labels: ['Bug', 'Nope'] },
    refused: /^There is no label 'Nope'; there are: /
  },
  { what: 'typed filter', tool: 'list_tasks', args: { filter: 'label:bug -assignee:me' }, done: { total: 1 } },
  {
    what: 'filter of another tracker',
    tool: 'list_tasks',
    args: { filter: 'is:open' },
    refused: /arguments\.filter.*is/
  },
  {
    what: 'filter as an object',
    tool: 'list_tasks',
    args: { filter: { label: 'bug' } },
    refused: /^arguments\.filter/
  },
  { what: 'order in snake case', tool: 'list_tasks', args: { orderBy: 'updated_at' }, done: { total: 3 } },
  {
    what: 'order that is not there',
    tool: 'list_tasks',
    args: { orderBy: 'dueDate' },
    refused: /^arguments\.orderBy must be one of: updatedAt/
  },
  { what: 'limit in words', tool: 'list_tasks', args: { limit: 'all' }, refused: /^arguments\.limit must be integer/ },
  { what: 'limit 0', tool: 'list_tasks', args: { limit: 0 }, done: { tasks: [{}], total: 3 } },
  {
    // Expected at first: both are listed. The argument is one text for all clients, and filter takes several.
    what: 'two states',
    tool: 'list_tasks',
    args: { state: ['Todo', 'Done'] },
    refused: /^arguments\.state takes one value, not a list: filter takes several, as state:a,b\.$/
  },
  {
    what: 'open',
    tool: 'list_tasks',
    args: { state: 'open' },
    refused: /^There is no state 'open'; there are: .*Todo/
  },
  {
    what: 'category that is not there',
    tool: 'list_tasks',
    args: { stateCategory: 'OPEN' },
    refused: /^arguments\.stateCategory\.0 must be one of: .*UNSTARTED/
  },
  { what: 'category in words', tool: 'list_tasks', args: { state: 'unstarted' }, done: { total: 3 } },
  { what: 'view that is not there', tool: 'list_tasks', args: { view: 'Mine' }, refused: /^There is no view 'Mine'/ },
  { what: 'no project', tool: 'list_tasks', args: { project: 'none' }, done: { total: 3 } },
  { what: 'ready as yes', tool: 'list_tasks', args: { ready: 'yes' }, done: { total: 3 } },
  { what: 'no cursor', tool: 'list_tasks', args: { cursor: null }, done: { total: 3 } },
  { what: 'empty texts', tool: 'list_tasks', args: { team: '', labels: [], view: '' }, done: { total: 3 } },
  { what: 'a key as words', tool: 'search_tasks', args: { query: 'ENG-2' }, done: { tasks: [{ key: 'ENG-2' }] } },
  {
    what: 'category as text',
    tool: 'search_tasks',
    args: { query: 'dates', stateCategory: 'unstarted' },
    done: { total: 1 }
  },
  { what: 'keywords', tool: 'search_tasks', args: { keywords: 'dates' }, refused: /^arguments\.keywords is not an/ },
  {
    what: 'words as a list',
    tool: 'search_tasks',
    args: { query: ['export', 'dates'] },
    refused: /^arguments\.query takes one value, not a list/
  },
  { what: 'query for text', tool: 'find_similar_tasks', args: { query: 'Dates are lost' }, done: { tasks: Array } },
  { what: 'similar to a hash', tool: 'find_similar_tasks', args: { task: '#1' }, done: { tasks: Array } },
  { what: 'similar to nothing', tool: 'find_similar_tasks', args: {}, refused: /^Send task or text, one of them/ },
  {
    what: 'projects by name',
    tool: 'list_projects',
    args: { name: 'Web' },
    refused: /^arguments\.name is not an argument of this tool.* Its arguments are: limit/
  },
  { what: 'runs in lower case', tool: 'list_agent_runs', args: { status: 'running' }, done: { runs: [] } },
  { what: 'runs that are open', tool: 'list_agent_runs', args: { status: 'open' }, refused: /must be one of: QUEUED/ }
]

const CHANGES: ModelCall[] = [
  { what: 'status', tool: 'update_task', args: { task: 'ENG-1', status: 'Done' }, refused: /did you mean 'state'\?/ },
  {
    what: 'no title',
    tool: 'update_task',
    args: { task: 'ENG-1', title: ' ' },
    refused: /^arguments\.title must not be/
  },
  { what: 'no labels', tool: 'update_task', args: { task: 'ENG-1', labels: [] }, then: { labels: { length: 0 } } },
  {
    what: 'a person with an id, which comes before the name',
    tool: 'update_task',
    args: { task: 'ENG-1', assignee: { id: '00000000-0000-4000-8000-000000000000', fullname: 'Caller' } },
    refused: /00000000-0000-4000-8000-000000000000/
  },
  {
    what: 'None as labels',
    tool: 'update_task',
    args: { task: 'ENG-1', labels: 'None' },
    then: { labels: { length: 0 } }
  },
  {
    what: 'labels none',
    tool: 'update_task',
    args: { task: 'ENG-1', labels: 'none' },
    then: { labels: { length: 0 } }
  },
  {
    what: 'label added as text',
    tool: 'update_task',
    args: { task: 'ENG-1', addLabels: 'docs' },
    done: { labels: ['Bug', 'Docs'] }
  },
  {
    what: 'label removed that is not on it',
    tool: 'update_task',
    args: { task: 'ENG-1', removeLabels: ['Docs'] },
    done: { labels: ['Bug'] }
  },
  {
    what: 'priority critical',
    tool: 'update_task',
    args: { task: 'ENG-1', priority: 'critical' },
    refused: /one of: none/
  },
  { what: 'priority 0', tool: 'update_task', args: { task: 'ENG-1', priority: 0 }, done: { key: 'ENG-1' } },
  {
    what: 'due as a moment',
    tool: 'update_task',
    args: { task: 'ENG-1', due: '2026-12-24T00:00:00Z' },
    done: { dueDate: '2026-12-24' }
  },
  {
    what: 'due as in Germany',
    tool: 'update_task',
    args: { task: 'ENG-1', due: '24.12.2026' },
    refused: /^arguments\.due '24\.12\.2026' is no day: send YYYY-MM-DD/
  },
  { what: 'due null', tool: 'update_task', args: { task: 'ENG-1', dueDate: null }, then: { dueDate: undefined } },
  {
    what: 'estimate none',
    tool: 'update_task',
    args: { task: 'ENG-1', estimate: 'None' },
    then: { estimate: undefined }
  },
  { what: 'points', tool: 'update_task', args: { task: 'ENG-1', points: 3 }, refused: /^arguments\.points is not an/ },
  { what: 'itself as parent', tool: 'update_task', args: { task: 'ENG-1', parent: 'ENG-1' }, refused: /parent|itself/ },
  { what: 'parent', tool: 'update_task', args: { task: '1', parent: '#2' }, then: { parent: { key: 'ENG-2' } } },
  { what: 'no parent', tool: 'update_task', args: { task: 'ENG-1', parent: '' }, then: { parent: undefined } },
  {
    what: 'assignee in a list',
    tool: 'update_task',
    args: { task: 'ENG-1', assignee: ['other'] },
    done: { assignee: 'Other' }
  },
  {
    what: 'assignees',
    tool: 'update_task',
    args: { task: 'ENG-1', assignees: ['me'] },
    refused: /did you mean 'assignee'\?/
  },
  { what: 'both criteria', tool: 'update_task', args: { task: 'ENG-1', met: '1,2' }, done: { unmet: undefined } },
  {
    what: 'all criteria',
    tool: 'update_task',
    args: { task: 'ENG-1', met: 'all' },
    refused: /criteri.* 1\. The export writes ISO dates/
  },
  {
    what: 'a third criterion',
    tool: 'update_task',
    args: { task: 'ENG-1', met: [3] },
    refused: /2 criteria|criteria are: 1\./
  },
  {
    what: 'criterion by number with evidence',
    tool: 'update_task',
    args: { task: 'ENG-1', met: { number: 1, evidence: 'run 7' } },
    then: { definitionOfDone: { met: 1, items: [{ evidence: 'run 7' }] } }
  },
  {
    what: 'met and unmet at once',
    tool: 'update_task',
    args: { task: 'ENG-1', met: [1], unmet: [1] },
    refused: /met.*unmet|both/
  },
  {
    what: 'criteria',
    tool: 'update_task',
    args: { task: 'ENG-1', criteria: [1] },
    refused: /^arguments\.criteria is not an/
  },
  {
    what: 'note of update_task',
    tool: 'update_task',
    args: { task: 'ENG-1', note: 'Half of it is done.' },
    refused: /^arguments\.note is not an argument of this tool, but of add_note/
  },
  {
    what: 'duplicateOf of update_task',
    tool: 'update_task',
    args: { task: 'ENG-1', duplicateOf: 'ENG-2' },
    refused: /^arguments\.duplicateOf is not an argument of this tool, but of close_task/
  },
  {
    what: 'blocked_by',
    tool: 'update_task',
    args: { task: 'ENG-1', blocked_by: ['ENG-2'] },
    then: { relations: [{ type: 'BLOCKED', issue: { key: 'ENG-2' } }] }
  },
  {
    what: 'rev as text, and nobody else',
    tool: 'update_task',
    args: { task: 'ENG-1', title: 'Mine', rev: '1' },
    then: { title: 'Mine' }
  },
  {
    what: 'rev, and another has changed the title',
    tool: 'update_task',
    setup: 'changed',
    args: { task: 'ENG-1', title: 'Mine', rev: 1 },
    refused: /^Other changed the title .*"The export loses dates" to "Theirs"/,
    then: { title: 'Theirs' }
  },
  {
    what: 'rev, and another has changed another field',
    tool: 'update_task',
    setup: 'changed',
    args: { task: 'ENG-1', priority: 'high', rev: 1 },
    then: { title: 'Theirs', priority: 2 }
  },
  {
    what: 'rev, and both ticked',
    tool: 'update_task',
    setup: 'changed',
    args: { task: 'ENG-1', met: [2], rev: 1 },
    then: { definitionOfDone: { met: 2, total: 2 } }
  },
  {
    what: 'rev, and a description without the tick of another',
    tool: 'update_task',
    setup: 'changed',
    args: {
      task: 'ENG-1',
      description: `${DESCRIPTION} I did.\n\n- [ ] The export writes ISO dates\n- [ ] ${SECOND}`,
      rev: 1
    },
    done: { kept: ['The export writes ISO dates'] },
    then: { descriptionMarkdown: /I did\.[^]*- \[x\] The export/ }
  },
  {
    what: 'no rev, and another has just changed the title',
    tool: 'update_task',
    setup: 'changed',
    args: { task: 'ENG-1', title: 'Mine' },
    refused: /^Other changed the title .*with rev: \d/,
    then: { title: 'Theirs' }
  },
  { what: 'rev of the future', tool: 'update_task', args: { task: 'ENG-1', title: 'Mine', rev: 99 }, refused: /rev/ }
]

const FILED: ModelCall[] = [
  { what: 'no title', tool: 'create_task', args: FILING, refused: /^arguments\.title is missing/ },
  // A template may have it.
  {
    what: 'no description',
    tool: 'create_task',
    args: { title: 'x' },
    refused: /^arguments\.description is no real description/
  },
  { what: 'summary', tool: 'create_task', args: { ...FILING, summary: 'x' }, refused: /^arguments\.(summary|title)/ },
  {
    what: 'description without content',
    tool: 'create_task',
    args: { ...FILING, title: 'x', description: 'x' },
    refused: /descri/
  },
  {
    what: 'no criteria',
    tool: 'create_task',
    args: { title: 'x', description: TEXT },
    refused: /acceptanceCriteria|criteri/
  },
  {
    what: 'no criteria, but a parent',
    tool: 'create_task',
    args: { title: 'x', description: TEXT, parent: 'eng1' },
    done: { key: 'ENG-4' },
    then: { parent: { key: 'ENG-1' } },
    of: 'ENG-4'
  },
  {
    what: 'criteria as objects',
    tool: 'create_task',
    args: { title: 'x', description: TEXT, acceptance_criteria: [{ text: 'a' }, { criterion: 'b' }] },
    then: { definitionOfDone: { met: 0, total: 2 } },
    of: 'ENG-4'
  },
  {
    what: 'empty criteria',
    tool: 'create_task',
    args: { ...FILING, title: 'x', acceptanceCriteria: [''] },
    refused: /criteri/i
  },
  { what: 'priority 2', tool: 'create_task', args: { ...FILING, title: 'x', priority: 2 }, done: { priority: 'high' } },
  {
    what: 'type',
    tool: 'create_task',
    args: { ...FILING, title: 'x', type: 'Bug' },
    refused: /^arguments\.type is not an/
  },
  {
    what: 'team that is not there',
    tool: 'create_task',
    args: { ...FILING, title: 'x', team: 'XYZ' },
    refused: /^There is no team 'XYZ'; there are: ENG/
  },
  {
    what: 'body, assignee me and a state in any case',
    tool: 'create_task',
    args: { title: 'x', body: TEXT, criteria: 'a', assignee: 'me', state: 'in progress' },
    done: { assignee: 'Caller', state: 'In Progress' }
  },
  {
    what: 'a long title',
    tool: 'create_task',
    args: { ...FILING, title: 'x'.repeat(1001) },
    refused: /^arguments\.title .*characters/
  }
]

const STEPS: ModelCall[] = [
  // Expected at first: must not be empty. An empty text of a comment is none, and the sentence says what to send.
  {
    what: 'empty note',
    tool: 'add_note',
    args: { task: 'ENG-1', note: '' },
    refused: /^arguments\.note is missing: send/
  },
  { what: 'note without a task', tool: 'add_note', args: { note: 'hi' }, refused: /^arguments\.task is missing/ },
  {
    what: 'question as the note',
    tool: 'add_note',
    args: { task: 'ENG-1', question: 'Which zone?' },
    refused: /^arguments\.(note is missing|question must be boolean)/
  },
  {
    what: 'options as JSON',
    tool: 'add_note',
    args: { task: 'ENG-1', note: 'Which zone?', question: 'true', options: '["UTC","local"]' },
    // Expected at first: in the comment. The context has open questions by themselves.
    then: { openQuestions: [{ options: ['UTC', 'local'] }] }
  },
  {
    what: 'close as a duplicate of itself',
    tool: 'close_task',
    args: { task: 'ENG-1', resolution: 'x', duplicateOf: '1' },
    refused: /itself/
  },
  {
    what: 'close as a duplicate',
    tool: 'close_task',
    args: { task: 'ENG-1', resolution: 'The same.', duplicate_of: 'eng2' },
    then: { state: { category: 'CANCELED' }, relations: [{ type: 'DUPLICATE_OF' }] }
  },
  {
    what: 'close with a reason as state',
    tool: 'close_task',
    args: { task: 'ENG-1', resolution: 'No.', state: "won't do" },
    refused: /there are: Done, Canceled\.$/
  },
  {
    what: 'close with all criteria as text',
    tool: 'close_task',
    args: { task: 'ENG-1', resolution: 'Mended.', met: '1\n2' },
    done: { state: 'Done', unmet: undefined }
  },
  { what: 'pick up again', tool: 'pick_up_task', args: { task: 'ENG-2' }, done: { state: 'In Progress' } },
  {
    what: 'takeover as text',
    tool: 'pick_up_task',
    setup: 'taken',
    args: { task: 'ENG-1', takeover: 'True' },
    done: { state: 'In Progress' },
    then: { assignee: { fullname: 'Caller' } }
  },
  { what: 'force', tool: 'pick_up_task', setup: 'taken', args: { task: 'ENG-1', force: true }, refused: /takeover/ },
  { what: 'tag as text', tool: 'remember', args: { content: FACT, tags: 'build' }, done: { status: 'ACTIVE' } },
  {
    what: 'kind in other words',
    tool: 'remember',
    args: { content: FACT, kind: 'how-to' },
    done: { status: 'ACTIVE' }
  },
  { what: 'kind that is not there', tool: 'remember', args: { content: FACT, kind: 'rule' }, refused: /one of: FACT/ },
  { what: 'fact', tool: 'remember', args: { fact: FACT }, refused: /^arguments\.(fact|content)/ },
  { what: 'too many entries', tool: 'recall_knowledge', args: { query: 'node', limit: '500' }, done: { entries: [] } },
  {
    what: 'budget as text',
    tool: 'load_context',
    args: { task: 'ENG1', budget: '500' },
    done: { omitted: { entries: 0 } }
  },
  { what: 'context of nothing', tool: 'load_context', args: {}, refused: /^Give task, query, or both/ },
  { what: 'file of nothing', tool: 'get_file', args: { file: 'plan.png' }, refused: /^There is no file 'plan\.png'/ },
  {
    what: 'attach nothing',
    tool: 'attach_file',
    args: { task: 'ENG-1', name: 'a.txt' },
    refused: /^Send text or base64/
  },
  {
    what: 'attach by other names',
    tool: 'attach_file',
    args: { task: 'ENG-1', filename: 'a.txt', content: 'hi' },
    done: { markdown: /a\.txt/ }
  },
  // Expected at first: refused with the right name. A title can be nothing else than the name.
  { what: 'project by title', tool: 'create_project', args: { title: 'Web' }, done: { name: 'Web' } },
  {
    what: 'harness that is not there',
    tool: 'hook_stop',
    args: { session_id: 's', harness: 'vim' },
    refused: /one of: claude-code/
  }
]

export const MORE_CALLS: readonly ModelCall[] = [...KEYS, ...LISTS, ...CHANGES, ...FILED, ...STEPS]
