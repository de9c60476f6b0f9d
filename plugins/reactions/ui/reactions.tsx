import { useQuery } from '@tanstack/react-query'
import type { EditedComment } from '../../comments/ui/contract.ts'
import type { Issue } from '../../issues/ui/contract.ts'
import { api, ErrorNote, Menu, useRequest } from '../../ui/browser/contract.ts'
import { EMOJI, type Emoji } from '../emoji.ts'
import styles from './reactions.module.css'

interface Reaction {
  commentId: string
  emoji: Emoji
  count: number
  isOwn: boolean
  by: Array<{ fullname: string }>
}
const SYMBOLS: Record<Emoji, readonly [symbol: string, name: string]> = {
  THUMBS_UP: ['👍', 'Thumbs up'],
  HEART: ['❤️', 'Heart'],
  HOORAY: ['🎉', 'Hooray'],
  LAUGH: ['😄', 'Laugh'],
  EYES: ['👀', 'Eyes'],
  THUMBS_DOWN: ['👎', 'Thumbs down']
}

const reactionsQuery = ({ id }: Issue) => ({
  queryKey: ['reactions', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => api<Reaction[]>(`/v1/issues/${id}/reactions`, { signal })
})

export function Reactions({ issue, comment: { id, author } }: { issue: Issue; comment: EditedComment }) {
  const { data = [] } = useQuery(reactionsQuery(issue))
  const { mutate, error } = useRequest('reactions')
  const reactions = EMOJI.flatMap(emoji =>
    data.filter(reaction => reaction.commentId === id && reaction.emoji === emoji)
  )
  function toggle(emoji: Emoji): void {
    const path = `/v1/issue_comments/${id}/reactions`
    const isOwn = reactions.some(reaction => reaction.emoji === emoji && reaction.isOwn)
    mutate(isOwn ? { path: `${path}/${emoji}`, method: 'DELETE' } : { path, body: { emoji } })
  }
  return (
    <div className={styles['reactions']} role="group" aria-label={`Reactions to the comment of ${author.fullname}`}>
      {reactions.map(reaction => (
        <ReactionButton key={reaction.emoji} reaction={reaction} onToggle={() => toggle(reaction.emoji)} />
      ))}
      <Menu
        label={`React to the comment of ${author.fullname}`}
        icon="smile"
        layout="row"
        items={EMOJI.map(emoji => ({
          title: SYMBOLS[emoji][1],
          symbol: SYMBOLS[emoji][0],
          run: () => toggle(emoji)
        }))}
      />
      {error && <ErrorNote error={error} />}
    </div>
  )
}

function ReactionButton({ reaction, onToggle }: { reaction: Reaction; onToggle: () => void }) {
  const { emoji, count, isOwn, by } = reaction
  const [symbol, name] = SYMBOLS[emoji]
  const others = count > by.length ? ` and ${count - by.length} more` : ''
  const people = by.map(({ fullname }) => fullname).join(', ') + others
  return (
    <button
      type="button"
      aria-pressed={isOwn}
      aria-label={`${name}, ${count}: ${people}`}
      title={people}
      onClick={onToggle}
    >
      <span aria-hidden>{symbol}</span> {count}
    </button>
  )
}
