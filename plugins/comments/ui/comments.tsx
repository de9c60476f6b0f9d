import { useState } from 'react'
import { timelineKey, type Issue, type TimelineEntry, type TimelineSource } from '../../issues/ui/contract.ts'
import {
  api,
  Button,
  ConfirmButton,
  ErrorNote,
  RichTextView,
  Time,
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
  Footer: ({ issue }: { issue: Issue }) => <Write label="Comment, in Markdown" path={pathOf(issue)} draft={issue.id} />
} satisfies TimelineSource

function CommentView({ comment: { id, author, createdAt, body, bodyMarkdown, question } }: { comment: Comment }) {
  const me = useSession()?.account
  const [isEditing, setEditing] = useState(false)
  const { mutate, error } = useRequest(...SHOW_COMMENTS)
  const path = `/v1/issue_comments/${id}`
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
              onConfirm={() => mutate({ path, method: 'DELETE' })}
            />
          </>
        )}
      </header>
      {isEditing ? (
        <Write
          label="Comment, in Markdown"
          word="Save"
          path={path}
          draft={`edit.${id}`}
          initial={bodyMarkdown}
          onDone={() => setEditing(false)}
        />
      ) : (
        <RichTextView doc={body} />
      )}
      {question && <QuestionState id={id} question={question} />}
      {error && <ErrorNote error={error} />}
    </div>
  )
}

function ThreadCard({ issue, thread }: { issue: Issue; thread: Thread }) {
  const [isReplying, setReplying] = useState(false)
  return (
    <article className={styles['thread']} aria-label={`Comment of ${thread.author.fullname}`}>
      {[thread, ...thread.replies].map(comment => (
        <CommentView key={comment.id} comment={comment} />
      ))}
      {isReplying ? (
        <Write
          label="Reply, in Markdown"
          path={pathOf(issue)}
          more={{ parentId: thread.id }}
          draft={thread.id}
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
