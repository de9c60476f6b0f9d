import { useRef, useState } from 'react'
import { isComposing } from '../../../ui/browser/contract.ts'
import type { Row } from '../contract.ts'
import styles from './list.module.css'
import { MAX_TITLE_LENGTH } from './row.ts'

interface RenameProps {
  row: Row
  /** The title that was refused; undefined: that of the issue. */
  text: string | undefined
  /** @param title undefined: as it was @param byKey false: the focus is elsewhere already */
  onEnd: (title: string | undefined, byKey: boolean) => void
}
/** Enter and another focus keep the title, Escape does not. */
export function Rename({ row, text = row.title, onEnd }: RenameProps) {
  const [title, setTitle] = useState(text)
  const isOver = useRef(false)
  function end(written: string, byKey: boolean): void {
    if (isOver.current) return
    isOver.current = true
    const kept = written.trim().replaceAll(/\s+/g, ' ')
    onEnd(kept === '' || kept === row.title ? undefined : kept, byKey)
  }
  return (
    <input
      className={styles['rename']}
      aria-label={`Title of ${row.key}`}
      value={title}
      maxLength={MAX_TITLE_LENGTH}
      autoFocus
      onFocus={event => event.currentTarget.select()}
      onChange={event => setTitle(event.currentTarget.value)}
      onBlur={() => end(title, false)}
      onKeyDown={event => {
        event.stopPropagation()
        if (isComposing(event.nativeEvent)) return
        if (event.key === 'Enter') end(title, true)
        if (event.key === 'Escape') end('', true)
      }}
    />
  )
}
