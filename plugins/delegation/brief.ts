import { WrittenText } from '../../core/api/text.ts'
import type { AskedQuestion } from '../comments/contract.ts'

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

/** The run that is tried again. */
interface BriefRun {
  status: string
  error: { reason: string; message: string } | null
  summary: string | null
  result: { branch: string | null; url: string | null; review: string | null } | null
}

/** The task in markdown, for a runner's standard input. */
export function brief(
  issue: BriefContext,
  { instructions, before }: { instructions: string | null; before?: BriefRun | undefined },
  knowledge: BriefKnowledge | undefined,
  questions: readonly AskedQuestion[] = []
): string {
  const written = new WrittenText()
  const text = (words: string) => written.mark(words)
  const paragraphs = (words: string, author?: string) => written.mark(`\n${words}\n`, author)
  const facts = [
    `State: ${issue.state.name}`,
    `Team: ${issue.team.name}`,
    issue.project && `Project: ${text(issue.project.name)}`,
    issue.labels.length > 0 && `Labels: ${issue.labels.map(label => text(label.name)).join(', ')}`,
    issue.parent && `Part of: ${issue.parent.key} ${text(issue.parent.title)}`
  ].filter(fact => typeof fact === 'string')
  const comments = (issue.comments ?? []).flatMap(comment => [comment, ...comment.replies])
  const answers = questions.map(question => answerParagraphs(question, paragraphs))
  const known = knowledge?.entries.map(({ kind, content }) => `${kind}: ${text(content.replaceAll('\n', '\n  '))}`)
  const related = issue.relations.map(({ type, issue: other }) => `${type} ${other.key} ${text(other.title)}`)
  const sections = [
    `# ${issue.key}: ${text(issue.title)}`,
    list(facts),
    issue.descriptionMarkdown && paragraphs(issue.descriptionMarkdown),
    instructions && `## Instructions for this run\n\n${instructions}`,
    before && section('The run before', runParagraphs(before, paragraphs)),
    section('Answers to your questions', answers.join('\n\n')),
    section('Worth knowing', list(known ?? [])),
    section('Sub-issues', list(issue.subIssues.map(sub => `${sub.key} ${text(sub.title)} (${sub.stateCategory})`))),
    section('Relations', list(related)),
    section('Links', list(issue.linkedIssues.map(({ title, url }) => text(`[${title}](${url})`)))),
    section('Comments', comments.map(comment => commentParagraphs(comment, paragraphs)).join('\n\n')),
    section('How to finish', howToFinish(issue.key, issue.comments !== undefined))
  ]
  const task = sections.filter(part => typeof part === 'string' && part !== '').join('\n\n')
  return `${written.explain(task)}\n`
}

const section = (title: string, content: string) => content && `## ${title}\n\n${content}`

type Paragraphs = (words: string, author?: string) => string
const commentParagraphs = ({ author, createdAt, bodyMarkdown }: BriefComment, paragraphs: Paragraphs) =>
  `${createdAt}:\n\n${paragraphs(bodyMarkdown, author.fullname)}`

function runParagraphs({ status, error, summary, result }: BriefRun, paragraphs: Paragraphs): string {
  const where = result && [result.branch && `the branch \`${result.branch}\``, result.url && `<${result.url}>`]
  return [
    `This is another attempt. The run before ended: ${status}${error ? `, ${error.reason}` : ''}.`,
    where && `Its work is at ${where.filter(place => place !== null).join(', ')}: go on from there.`,
    result?.review === 'SENT_BACK' && 'It was sent back: the instructions end with what is missing.',
    summary && `It said last:\n\n${paragraphs(summary)}`
  ]
    .filter(part => typeof part === 'string')
    .join('\n\n')
}

const answerParagraphs = ({ key, question, ...end }: AskedQuestion, paragraphs: Paragraphs) =>
  `On ${key} you asked:\n\n${paragraphs(question)}\n\n${endOfQuestion(end, paragraphs)}`

function endOfQuestion(
  { isOpen, by, isWithdrawn, answer }: Omit<AskedQuestion, 'key' | 'question'>,
  paragraphs: Paragraphs
): string {
  const who = by === null ? 'Nobody' : JSON.stringify(by)
  if (isOpen) return 'It is not answered yet.'
  if (answer !== null) return `${who} answered:\n\n${paragraphs(answer)}`
  if (isWithdrawn) return `${who} has withdrawn it: decide it yourself.`
  return `${who} has answered it, and the answer was removed: ask again, or decide it yourself.`
}

/** The instructions for the end, by tools and by REST: a run's agent may have either. */
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
