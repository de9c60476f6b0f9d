import { useQueryClient } from '@tanstack/react-query'
import {
  api,
  currentText,
  leaveField,
  SaveButtons,
  RichTextField,
  sendOrKeep,
  useSaving,
  useWriting,
  useWritingState,
  type DraftPlace
} from '../../ui/browser/contract.ts'
import styles from './comments.module.css'
import { SHOW_COMMENTS } from './data.ts'

interface WriteProps {
  label: string
  word?: string
  /** The path of its request, and the rest of the body. */
  path: string
  more?: object
  place: DraftPlace
  /** The text to change, which leaving it saves. */
  initial?: string
  autoFocus?: boolean
  onDone?: () => void
}

export function Write({ label, word = 'Send', path, more, place, initial, autoFocus = false, onDone }: WriteProps) {
  const client = useQueryClient()
  const writing = useWriting(place, initial ?? '', initial ?? null)
  const { isChanged } = useWritingState(writing)
  async function send(bodyMarkdown: string, previous: string | null): Promise<void> {
    const body = { bodyMarkdown, ...more }
    const { name: subject, title, href } = place
    let isKept = false
    try {
      if (previous === null) isKept = (await sendOrKeep(path, body, { subject, title, href })) === undefined
      else await api(path, { body: { ...body, previous: { bodyMarkdown: previous } } })
    } finally {
      for (const query of isKept ? [] : SHOW_COMMENTS) client.invalidateQueries({ queryKey: [query] })
    }
  }
  const saving = useSaving({
    writing,
    send,
    theirs: error => currentText(error, 'bodyMarkdown'),
    ...(onDone && { onDone })
  })
  return (
    <div className={styles['write']} onBlur={initial === undefined ? undefined : saving.onBlur}>
      <RichTextField
        label={label}
        writing={writing}
        autoFocus={autoFocus}
        onSave={() => saving.save()}
        onEscape={() => (onDone && !isChanged ? onDone() : leaveField())}
      />
      <SaveButtons saving={saving} what="comment" word={word} canDiscard={isChanged || onDone !== undefined} />
    </div>
  )
}
