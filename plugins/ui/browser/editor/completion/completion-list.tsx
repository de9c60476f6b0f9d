import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { putBeside, whilePlaced } from '../../parts/place.ts'
import { LIST_ID, optionId, type Completing } from './completing.ts'
import styles from './completion.module.css'

export function CompletionList<F>({ completing }: { completing: Completing<F> }) {
  const shown = useSyncExternalStore(completing.subscribe, () => completing.shown)
  const list = useRef<HTMLUListElement>(null)
  const isShown = shown !== undefined
  useLayoutEffect(() => {
    if (isShown) list.current!.showPopover()
  }, [isShown])
  useLayoutEffect(() => {
    if (!shown) return
    return whilePlaced(() => {
      const place = completing.place()
      if (place) putBeside(list.current!, place)
    })
  }, [completing, shown])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  if (!shown) return null
  return (
    <ul
      ref={list}
      id={LIST_ID}
      popover="manual"
      role="listbox"
      aria-label={shown.label}
      // Axe: a region that scrolls. Tab chooses, and does not lead into it.
      tabIndex={0}
      // The focus stays in the text.
      onMouseDown={event => event.preventDefault()}
      className={styles['list']}
    >
      {shown.items.map(({ id: itemId, title, hint }, at) => (
        <li
          key={itemId}
          id={optionId(at)}
          role="option"
          aria-selected={at === shown.active}
          onClick={() => completing.choose(at)}
        >
          <span>{title}</span>
          {hint && <small>{hint}</small>}
        </li>
      ))}
    </ul>
  )
}
