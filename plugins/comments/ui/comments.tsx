import { useState } from 'react'
import { timelineKey, type Issue, type TimelineEntry, type TimelineSource } from '../../issues/ui/contract.ts'
import {
  api,
  Button,
  ConfirmButton,
  ErrorNote,
  offerUndo,
  RichTextView,
  Time,
  useHasDraft,
  useRequest,
  useSession
} from '../../ui/browser/contract.ts'
import { AccountAvatar } from '../../workspace/ui/contract.ts'
import styles from './comments.module.css'
import { SHOW_COMMENTS, type Comment } from './data.ts'
import { QuestionState } from './question.tsx'
import { Write } from './write.tsx'

interface Thread extends Comment, TimelineEntry {
  replies: Comment[]
}
const pathOf = (issue: Issue) => `/v1/issue_comments?issueId=${issue.id}`
/** The draft of a text that is written on the page of an issue. */
const placeOf = ({ id, key }: Issue, name: string, title: string, subjectId = id) => ({
  name: `${name}.${subjectId}`,
  title: `${title} ${key}`,
  href: `/issue/${key}`
})

export const commentSource = {
  name: 'comments',
  query: issue => ({
    queryKey: timelineKey(issue, 'comments'),
    queryFn: ({ signal }) => api<Comment[]>(pathOf(issue), { signal })
  }),
  entries: (all: Comment[]): Thread[] =>
    all
      .filter(({ parentId }) => parentId === null)
      .map(comment => ({
        ...comment,
        at: comment.createdAt,
        replies: all.filter(({ parentId }) => parentId === comment.id)
      })),
  Entry: ({ issue, entry }: { issue: Issue; entry: Thread }) => <ThreadCard issue={issue} thread={entry} />,
  Footer: ({ issue }: { issue: Issue }) => (
    <Write label="Comment" path={pathOf(issue)} place={placeOf(issue, 'comment', 'Comment on')} />
  )
} satisfies TimelineSource

const REMOVED = { title: 'The comment is removed', undone: 'The comment is there again', word: 'Restore' }

function CommentView({ issue, comment }: { issue: Issue; comment: Comment }) {
  const { id, author, createdAt, body, bodyMarkdown, question } = comment
  const me = useSession()?.account
  const place = placeOf(issue, 'comment.edit', 'Edited comment on', id)
  const [isEditing, setEditing] = useState(useHasDraft(place.name))
  const { mutate, mutateAsync, error } = useRequest(...SHOW_COMMENTS)
  const path = `/v1/issue_comments/${id}`
  const restore = () => mutateAsync({ path: `${path}/restore`, method: 'POST' })
  const remove = () => mutate({ path, method: 'DELETE' }, { onSuccess: () => offerUndo({ ...REMOVED, undo: restore }) })
  const isOwn = me?.id === author.id || me?.role === 'ADMIN'
  return (
    <div className={styles['comment']}>
      <header>
        <AccountAvatar name={author.fullname} id={author.id} />
        <strong>{author.fullname}</strong>
        <Time at={createdAt} />
        {isOwn && !isEditing && (
          <>
            <Button kind="quiet" aria-label={`Edit the comment of ${author.fullname}`} onClick={() => setEditing(true)}>
              Edit
            </Button>
            <ConfirmButton
              label={`Remove the comment of ${author.fullname}`}
              word="Remove"
              warning="The replies to it go, too."
              onConfirm={remove}
            />
          </>
        )}
      </header>
      {isEditing ? (
        <Write
          label="Edited comment"
          word="Save"
          path={path}
          place={place}
          initial={bodyMarkdown}
          autoFocus
          onDone={() => setEditing(false)}
        />
      ) : (
        <RichTextView doc={body} />
      )}
      {question && <QuestionState id={id} question={question} place={placeOf(issue, 'answer', 'Answer on', id)} />}
      {error && <ErrorNote error={error} />}
    </div>
  )
}

function ThreadCard({ issue, thread }: { issue: Issue; thread: Thread }) {
  const place = placeOf(issue, 'reply', 'Reply on', thread.id)
  const [isReplying, setReplying] = useState(useHasDraft(place.name))
  return (
    <article className={styles['thread']} aria-label={`Comment of ${thread.author.fullname}`}>
      {[thread, ...thread.replies].map(comment => (
        <CommentView key={comment.id} issue={issue} comment={comment} />
      ))}
      {isReplying ? (
        <Write
          label="Reply"
          path={pathOf(issue)}
          more={{ parentId: thread.id }}
          place={place}
          autoFocus
          onDone={() => setReplying(false)}
        />
      ) : (
        <Button kind="quiet" onClick={() => setReplying(true)}>
          Reply
        </Button>
      )}
    </article>
  )
}
