import type { AskedQuestion } from '../comments/contract.ts'

/** The parts of an issue's context in the brief. */
export interface BriefContext {
  key: string
  title: string
  descriptionMarkdown: string
  state: { name: string }
  team: { name: string }
  labels: Array<{ name: string }>
  project?: { name: string } | null
  parent: { key: string; title: string } | null
  subIssues: Array<{ key: string; title: string; stateCategory: string }>
  relations: Array<{ type: string; issue: { key: string; title: string } }>
  linkedIssues: Array<{ url: string; title: string }>
  comments?: Array<BriefComment & { replies: BriefComment[] }>
}
interface BriefComment {
  author: { fullname: string }
  createdAt: string
  bodyMarkdown: string
}
interface BriefKnowledge {
  entries: Array<{ kind: string; content: string }>
}

/** The task in markdown: what a runner reads on its standard input. */
export function brief(
  issue: BriefContext,
  instructions: string | null,
  knowledge: BriefKnowledge | undefined,
  asked: readonly AskedQuestion[] = []
): string {
  const facts = [
    `State: ${issue.state.name}`,
    `Team: ${issue.team.name}`,
    issue.project && `Project: ${issue.project.name}`,
    issue.labels.length > 0 && `Labels: ${issue.labels.map(label => label.name).join(', ')}`,
    issue.parent && `Part of: ${issue.parent.key} ${issue.parent.title}`
  ].filter(fact => typeof fact === 'string')
  const comments = (issue.comments ?? []).flatMap(comment => [comment, ...comment.replies])
  const sections = [
    `# ${issue.key}: ${issue.title}`,
    list(facts),
    issue.descriptionMarkdown,
    instructions && `## Instructions for this run\n\n${instructions}`,
    asked.length > 0 && `## Answers to your questions\n\n${asked.map(answerParagraphs).join('\n\n')}`,
    knowledge && knowledge.entries.length > 0 && `## Worth knowing\n\n${list(knowledge.entries.map(entryLine))}`,
    issue.subIssues.length > 0 &&
      `## Sub-issues\n\n${list(issue.subIssues.map(sub => `${sub.key} ${sub.title} (${sub.stateCategory})`))}`,
    issue.relations.length > 0 &&
      `## Relations\n\n${list(issue.relations.map(({ type, issue: other }) => `${type} ${other.key} ${other.title}`))}`,
    issue.linkedIssues.length > 0 &&
      `## Links\n\n${list(issue.linkedIssues.map(({ title, url }) => `[${title}](${url})`))}`,
    comments.length > 0 && `## Comments\n\n${comments.map(commentParagraphs).join('\n\n')}`,
    `## How to finish\n\n${howToFinish(issue.key, issue.comments !== undefined)}`
  ]
  return sections.filter(section => typeof section === 'string' && section !== '').join('\n\n') + '\n'
}

const entryLine = ({ kind, content }: BriefKnowledge['entries'][number]) =>
  `${kind}: ${content.replaceAll('\n', '\n  ')}`
const commentParagraphs = ({ author, createdAt, bodyMarkdown }: BriefComment) =>
  `**${author.fullname}**, ${createdAt}:\n\n${bodyMarkdown}`

const answerParagraphs = ({ key, question, ...end }: AskedQuestion) =>
  `On ${key} you asked:\n\n${question}\n\n${endOfQuestion(end)}`

function endOfQuestion({ isOpen, by, isWithdrawn, answer }: Omit<AskedQuestion, 'key' | 'question'>): string {
  if (isOpen) return 'It is not answered yet.'
  if (answer !== null) return `**${by}** answered:\n\n${answer}`
  if (isWithdrawn) return `${by ?? 'Nobody'} has withdrawn it: decide it yourself.`
  return `${by ?? 'Nobody'} has answered it, and the answer was removed: ask again, or decide it yourself.`
}

/** What is expected at the end, by tools and by REST: a run's agent may have either. */
const howToFinish = (key: string, canAsk: boolean): string =>
  list([
    `When the work is done, tick the criteria that are met and close ${key} with its resolution: what was wrong, ` +
      `what was done (\`close_task\`, or \`POST /v1/issue_comments?issueId=${key}\` with \`stateId\`).`,
    'When it cannot be finished here, note where it stands and what is missing (`add_note`, or the same request ' +
      `without \`stateId\`), and end: ${key} is released.`,
    ...(canAsk
      ? [
          'When only a person can decide something, ask (`add_note` with `question: true`, or the same request with ' +
            '`question: {}`), and end: you are started again with the answer.'
        ]
      : []),
    'Do not end without one of them: nobody would know what this run has found.'
  ])

const list = (items: readonly string[]) => items.map(item => `- ${item}`).join('\n')
