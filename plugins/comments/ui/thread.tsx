import { useEffect, useId, useState } from 'react'
import type { NodeJson } from '../../../lib/rich-text/index.ts'
import type { Issue } from '../../issues/ui/contract.ts'
import { Button, Icon, KeptHere, plainText, Time, useHasDraft } from '../../ui/browser/contract.ts'
import { AccountAvatar } from '../../workspace/ui/contract.ts'
import { CommentView } from './comment-view.tsx'
import styles from './comments.module.css'
import { pathOf, placeOf, type Thread } from './data.ts'
import { anchorOf, useLinkedComment } from './linked.ts'
import { Write } from './write.tsx'

export default function ThreadCard({ issue, thread }: { issue: Issue; thread: Thread }) {
  const { author, replies } = thread
  const place = placeOf(issue, 'reply', 'Reply on', thread.id)
  const [isReplying, setReplying] = useState(useHasDraft(place.name))
  const all = [thread, ...replies]
  const linkedId = useLinkedComment()
  const linked = all.find(({ id }) => id === linkedId)?.id
  const [isCollapsed, setCollapsed] = useCollapsed(linked)
  const contentId = useId()
  useEffect(() => {
    const element = linked === undefined ? null : document.getElementById(anchorOf(linked))
    element?.scrollIntoView({ block: 'center' })
    element?.focus({ preventScroll: true })
  }, [linked])
  return (
    <article className={styles['thread']} aria-label={`Comment of ${author.fullname}`}>
      <Button
        kind="quiet"
        className={styles['toggle']!}
        aria-expanded={!isCollapsed}
        aria-controls={contentId}
        aria-label={`Thread of ${author.fullname}`}
        title={isCollapsed ? 'Expand' : 'Collapse'}
        onClick={() => setCollapsed(!isCollapsed)}
      >
        <Icon name="chevron" />
      </Button>
      {isCollapsed && <FirstLine thread={thread} />}
      {/* Hidden, not removed: uploads and texts that are being written go on. */}
      <div id={contentId} className={styles['content']} hidden={isCollapsed}>
        {all.map(comment => (
          <CommentView
            key={comment.id}
            issue={issue}
            comment={comment}
            replies={comment === thread ? replies.length : 0}
            isLinked={comment.id === linked}
          />
        ))}
        <KeptHere subject={place.name} />
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
      </div>
    </article>
  )
}

const FirstLine = ({ thread: { author, createdAt, body, replies } }: { thread: Thread }) => (
  <p className={styles['collapsed']}>
    <AccountAvatar name={author.fullname} id={author.id} />
    <strong>{author.fullname}</strong>
    <span className={styles['beginning']}>{beginningOf(body)}</span>
    {replies.length > 0 && <span>{replies.length === 1 ? '1 reply' : `${replies.length} replies`}</span>}
    <Time at={createdAt} />
  </p>
)

/** @param linked the comment of the thread to which the address leads: following a link expands the thread */
function useCollapsed(linked: string | undefined): [isCollapsed: boolean, set: (isCollapsed: boolean) => void] {
  const [isCollapsed, setCollapsed] = useState(false)
  const [lastLinked, setLastLinked] = useState(linked)
  if (linked !== lastLinked) {
    setLastLinked(linked)
    if (linked !== undefined) setCollapsed(false)
  }
  return [isCollapsed, setCollapsed]
}

const beginningOf = ({ content = [] }: NodeJson): string =>
  content.map(plainText).find(text => text.trim() !== '') ?? ''
