import { useRef, useState } from 'react'
import type { Issue } from '../../issues/ui/contract.ts'
import {
  contributions,
  copyText,
  ErrorNote,
  Menu,
  offerRestore,
  RichTextView,
  Time,
  useCommands,
  useHasDraft,
  useRequest,
  useSession,
  type MenuItem
} from '../../ui/browser/contract.ts'
import { AccountAvatar } from '../../workspace/ui/contract.ts'
import styles from './comments.module.css'
import { commentFooters, editedMarks } from './contract.ts'
import { placeOf, SHOW_COMMENTS, type Comment } from './data.ts'
import { anchorOf, linkTo } from './linked.ts'
import { QuestionState } from './question.tsx'
import { Write } from './write.tsx'

interface CommentViewProps {
  issue: Issue
  comment: Comment
  /** The number of replies, which are removed with it. */
  replies: number
  /** True if the address of the page leads to it. */
  isLinked: boolean
}
export function CommentView({ issue, comment, replies, isLinked }: CommentViewProps) {
  const { id, author, createdAt, updatedAt, body, bodyMarkdown, question } = comment
  const place = placeOf(issue, 'comment.edit', 'Edited comment on', id)
  const [isEditing, setEditing] = useState(useHasDraft(place.name))
  const { items, error } = useActions(issue, comment, replies, () => setEditing(true))
  const element = useRef<HTMLDivElement>(null)
  const isAvailable = () => !isEditing && element.current!.contains(document.activeElement)
  useCommands(
    items.map(({ title, run }) => ({
      ...{ id: `comment ${id} ${title}`, title: `${title}: comment`, section: 'Comment' },
      run,
      isAvailable
    }))
  )
  return (
    <div
      ref={element}
      id={anchorOf(id)}
      tabIndex={-1}
      className={styles['comment']}
      data-linked={isLinked || undefined}
    >
      <header>
        <AccountAvatar name={author.fullname} id={author.id} />
        <strong>{author.fullname}</strong>
        <Time at={createdAt} />
        {updatedAt !== createdAt && <EditedMark comment={comment} />}
        {!isEditing && (
          <span className={styles['actions']}>
            <Menu label={`Actions on the comment of ${author.fullname}`} items={items} />
          </span>
        )}
      </header>
      {isEditing ? (
        <Write
          label="Edited comment"
          word="Save"
          path={`/v1/issue_comments/${id}`}
          place={place}
          initial={bodyMarkdown}
          autoFocus
          onDone={() => setEditing(false)}
        />
      ) : (
        <RichTextView doc={body} />
      )}
      {contributions(commentFooters).map((Footer, n) => (
        <Footer key={n} issue={issue} comment={comment} />
      ))}
      {question && <QuestionState id={id} question={question} place={placeOf(issue, 'answer', 'Answer on', id)} />}
      {error !== null && <ErrorNote error={error} />}
    </div>
  )
}

function EditedMark({ comment }: { comment: Comment }) {
  const [Mark] = contributions(editedMarks)
  if (Mark !== undefined) return <Mark comment={comment} />
  return (
    <span className={styles['edited']} title={new Date(comment.updatedAt).toLocaleString()}>
      edited
    </span>
  )
}

function useActions(issue: Issue, { id, author }: Comment, replies: number, onEdit: () => void) {
  const me = useSession()?.account
  const { mutateAsync } = useRequest(...SHOW_COMMENTS)
  const [error, setError] = useState<unknown>(null)
  const attempt = (action: () => Promise<unknown>) => () => action().then(() => setError(null), setError)
  const path = `/v1/issue_comments/${id}`
  async function remove(): Promise<void> {
    await mutateAsync({ path, method: 'DELETE' })
    offerRestore(mutateAsync, path, removal(replies))
  }
  const isOwn = me?.id === author.id || me?.role === 'ADMIN'
  const copyLink = attempt(() => copyText(linkTo(issue.key, id), 'The link'))
  const items: MenuItem[] = [
    ...(isOwn ? [{ title: 'Edit', run: onEdit }] : []),
    { title: 'Copy link', run: copyLink },
    ...(isOwn ? [{ title: 'Remove', isDangerous: true, run: attempt(remove) }] : [])
  ]
  return { items, error }
}

const removal = (replies: number): { title: string; undone: string } => {
  if (replies === 0) return { title: 'The comment is removed', undone: 'The comment is there again' }
  const what = replies === 1 ? 'The comment and its reply' : `The comment and its ${replies} replies`
  return { title: `${what} are removed`, undone: `${what} are there again` }
}
