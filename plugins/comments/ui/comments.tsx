import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { NodeJson } from '../../../core/rich-text/index.ts'
import type { Issue, TimelineEntry, TimelineSource } from '../../issues/ui/contract.ts'
import { api, Avatar, Button, ErrorNote, Field, RichTextView, Time } from '../../ui/browser/contract.ts'
import styles from './comments.module.css'

interface Comment extends TimelineEntry {
  parentId: string | null
  author: { id: string; fullname: string }
  body: NodeJson
  createdAt: string
}
interface Thread extends Comment {
  replies: Comment[]
}

/** The comments of an issue, in its line of time, each with its replies. */
export const commentSource = {
  name: 'comments',
  async load({ id }: Issue, signal: AbortSignal): Promise<Thread[]> {
    const all = await api<Comment[]>(`/v1/issue_comments?issueId=${id}`, { signal })
    return all
      .filter(({ parentId }) => parentId === null)
      .map(comment => ({
        ...comment,
        at: comment.createdAt,
        replies: all.filter(({ parentId }) => parentId === comment.id)
      }))
  },
  Entry: ({ issue, entry }: { issue: Issue; entry: TimelineEntry }) => (
    <ThreadCard issue={issue} thread={entry as Thread} />
  ),
  Footer: ({ issue }: { issue: Issue }) => <Write issue={issue} label="Comment, in Markdown" />
} satisfies TimelineSource

function ThreadCard({ issue, thread }: { issue: Issue; thread: Thread }) {
  const [isReplying, setReplying] = useState(false)
  return (
    <article className={styles['thread']} aria-label={`Comment of ${thread.author.fullname}`}>
      {[thread, ...thread.replies].map(({ id, author, createdAt, body }) => (
        <div key={id} className={styles['comment']}>
          <header>
            <Avatar name={author.fullname} />
            <strong>{author.fullname}</strong>
            <Time at={createdAt} />
          </header>
          <RichTextView doc={body} />
        </div>
      ))}
      {isReplying ? (
        <Write issue={issue} label="Reply, in Markdown" parentId={thread.id} onDone={() => setReplying(false)} />
      ) : (
        <Button kind="quiet" onClick={() => setReplying(true)}>
          Reply
        </Button>
      )}
    </article>
  )
}

interface WriteProps {
  issue: Issue
  label: string
  parentId?: string
  onDone?: () => void
}
/** A field to write in; what is written and not sent stays in this browser. */
function Write({ issue, label, parentId, onDone }: WriteProps) {
  const client = useQueryClient()
  const key = `tracker.comment.${parentId ?? issue.id}`
  const [text, setText] = useState(() => localStorage.getItem(key) ?? '')
  function write(value: string): void {
    setText(value)
    if (value === '') localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  }
  const send = useMutation({
    mutationFn: (bodyMarkdown: string) =>
      api(`/v1/issue_comments?issueId=${issue.id}`, { body: { bodyMarkdown, ...(parentId && { parentId }) } }),
    onSuccess() {
      write('')
      onDone?.()
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['timeline', issue.id] })
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (text.trim() !== '' && !send.isPending) send.mutate(text)
  }
  return (
    <form className={styles['write']} onSubmit={submit}>
      <Field label={label}>
        {id => (
          <textarea
            id={id}
            rows={3}
            value={text}
            readOnly={send.isPending}
            onChange={event => write(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
            }}
          />
        )}
      </Field>
      {send.error && <ErrorNote error={send.error} />}
      <Button type="submit" kind="primary" disabled={send.isPending || text.trim() === ''}>
        Send
      </Button>
    </form>
  )
}
