import { useQuery } from '@tanstack/react-query'
import type { Entry } from '../../inbox/ui/contract.ts'
import {
  api,
  Button,
  ErrorNote,
  KeptHere,
  RichTextView,
  Skeleton,
  useRequest,
  withFiles,
  type DraftPlace
} from '../../ui/browser/contract.ts'
import styles from './comments.module.css'
import { placeOf, SHOW_COMMENTS, type Comment, type Question } from './data.ts'
import { Write } from './write.tsx'

function describe({ status, to, closedBy }: Question): string {
  const who = to ? to.map(({ fullname }) => fullname).join(', ') : 'anybody'
  if (status === 'OPEN') return `Asks ${who}, and waits for the answer.`
  const what = status === 'ANSWERED' ? 'Answered' : 'Withdrawn'
  return closedBy ? `${what} by ${closedBy.fullname}.` : `${what}.`
}

export function QuestionState({ id, question, place }: { id: string; question: Question; place: DraftPlace }) {
  const { mutate, error, isPending } = useRequest(...SHOW_COMMENTS)
  const path = `/v1/issue_comments/${id}`
  return (
    <section className={styles['question']} aria-label="Question">
      <p>{describe(question)}</p>
      <KeptHere subject={place.name} />
      {question.status === 'OPEN' && (
        <>
          <div className={styles['options']}>
            {question.options?.map(option => (
              <Button
                key={option}
                disabled={isPending}
                onClick={() => mutate({ path: `${path}/answer`, body: { option } })}
              >
                {option}
              </Button>
            ))}
          </div>
          <Write label="Answer" word="Answer" path={`${path}/answer`} place={place} />
          <Button
            kind="quiet"
            disabled={isPending}
            onClick={() => mutate({ path: `${path}/withdraw`, method: 'POST' })}
          >
            Withdraw
          </Button>
        </>
      )}
      {error && <ErrorNote error={error} />}
    </section>
  )
}

export function AskedQuestion({ entry }: { entry: Entry }) {
  const { id } = entry.subject
  const place = placeOf(entry.issue, 'answer', 'Answer on', id)
  const { data: comment, error } = useQuery({
    queryKey: ['comment', id],
    queryFn: ({ signal }) => withFiles(api<Comment>(`/v1/issue_comments/${id}`, { signal }))
  })
  if (error) return <ErrorNote error={error} />
  if (!comment) return <Skeleton />
  return (
    <>
      <RichTextView doc={comment.body} />
      {comment.question && <QuestionState id={id} question={comment.question} place={place} />}
    </>
  )
}
