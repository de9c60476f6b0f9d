import { useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { isComposing, moveFocus } from '../../keys.ts'
import { keyText } from '../../parts/bits.tsx'
import { Button } from '../../parts/controls.tsx'
import { Icon } from '../../parts/icons.tsx'
import { putBeside, whilePlaced } from '../../parts/place.ts'
import { TABLE_TOOLS } from '../tables/table-tools.ts'
import { BLOCKS, MARKS, type Bubble, type Format, type Shown } from './bubble.ts'
import styles from './bubble.module.css'
import { addressOf, linkPlace } from './links.ts'

/** Alt F10 leads to it, Escape back to the text. */
export function BubbleToolbar({ bubble }: { bubble: Bubble }) {
  const shown = useSyncExternalStore(bubble.subscribe, () => bubble.shown)
  return shown ? <OpenToolbar bubble={bubble} shown={shown} /> : null
}

const HANDLE = 24

function OpenToolbar({ bubble, shown }: { bubble: Bubble; shown: Shown }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    element.current!.showPopover()
    return bubble.setElement(element.current!)
  }, [bubble])
  useLayoutEffect(() => {
    // A phone has its own menu above a selection, and handles below it.
    const isCoarse = matchMedia('(pointer: coarse)').matches
    const place = () => bubble.place(shown, isCoarse ? HANDLE : 0)
    const side = isCoarse && shown.kind !== 'table' ? 'below' : 'above'
    return whilePlaced(() => putBeside(element.current!, place(), side))
  }, [bubble, shown])
  return (
    <div
      ref={element}
      popover="manual"
      className={styles['bubble']}
      onBlur={({ relatedTarget }) => bubble.left(shown.view, relatedTarget)}
      onKeyDown={event => {
        if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
        event.preventDefault()
        event.stopPropagation()
        bubble.leave()
      }}
    >
      {shown.isWriting ? <AddressForm bubble={bubble} shown={shown} /> : <Tools bubble={bubble} shown={shown} />}
    </div>
  )
}

const LABELS: Record<Shown['kind'], string> = { selection: 'Format', link: 'Link', table: 'Table' }

function Tools({ bubble, shown }: { bubble: Bubble; shown: Shown }) {
  const { state, kind } = shown
  const { href } = linkPlace(state)
  const format = (each: Format, isFirst = false) => (
    <Tool
      key={each.title}
      {...each}
      isFirst={isFirst}
      isPressed={each.isOn?.(state)}
      isPossible={each.command(state)}
      run={() => bubble.run(each.command)}
    />
  )
  const link = (
    <Tool title="Link" icon="link" keys="mod+shift+k" isPressed={href !== ''} run={() => bubble.writeAddress()} />
  )
  return (
    <div
      role="toolbar"
      aria-label={LABELS[kind]}
      className={styles['tools']}
      onKeyDown={event => moveFocus(event, [...event.currentTarget.querySelectorAll('button')], 'row')}
    >
      {kind === 'table' &&
        TABLE_TOOLS.map((tools, group) => (
          <span key={group} className={styles['group']}>
            {tools.map((each, at) => format(each, group + at === 0))}
          </span>
        ))}
      {kind === 'link' && (
        <>
          <span className={styles['address']}>{href}</span>
          <Tool title="Edit the link" icon="edit" isFirst run={() => bubble.writeAddress()} />
          <Tool title="Remove the link" icon="trash" run={() => bubble.setLink('')} />
        </>
      )}
      {kind === 'selection' && (
        <>
          <span className={styles['group']}>
            {MARKS.map((each, at) => format(each, at === 0))}
            {link}
          </span>
          <span className={styles['group']}>{BLOCKS.map(each => format(each))}</span>
        </>
      )}
    </div>
  )
}

interface ToolProps {
  title: string
  icon: string
  keys?: string
  isFirst?: boolean
  isPressed?: boolean | undefined
  isPossible?: boolean
  run: () => void
}
const Tool = ({ title, icon, keys, isFirst = false, isPressed, isPossible = true, run }: ToolProps) => (
  <Button
    kind="quiet"
    aria-label={title}
    aria-pressed={isPressed}
    aria-disabled={!isPossible}
    title={keys ? `${title} (${keyText(keys)})` : title}
    tabIndex={isFirst ? 0 : -1}
    // The selection stays.
    onMouseDown={event => event.preventDefault()}
    onClick={() => isPossible && run()}
  >
    <Icon name={icon} />
  </Button>
)

/** @returns a function that ends it */
function markLinkPlace({ view, state }: Shown): (() => void) | undefined {
  if (!('highlights' in CSS)) return undefined
  const { from, to } = linkPlace(state)
  const [start, end] = [view.domAtPos(from), view.domAtPos(to)]
  const range = new StaticRange({
    startContainer: start.node,
    startOffset: start.offset,
    endContainer: end.node,
    endOffset: end.offset
  })
  CSS.highlights.set('link-place', new Highlight(range))
  return () => CSS.highlights.delete('link-place')
}

function AddressForm({ bubble, shown }: { bubble: Bubble; shown: Shown }) {
  const { href } = linkPlace(shown.state)
  const [typed, setTyped] = useState(href)
  const [isRefused, setRefused] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const noteId = useId()
  useLayoutEffect(() => field.current!.select(), [])
  useLayoutEffect(() => markLinkPlace(shown), [shown])
  function apply(): void {
    const address = typed.trim() === '' ? '' : addressOf(typed)
    setRefused(address === null)
    if (address !== null) bubble.setLink(address)
  }
  return (
    // Not a form: the field may be in one.
    <div className={styles['form']} role="group" aria-label="Link">
      <input
        ref={field}
        autoFocus
        type="text"
        inputMode="url"
        aria-label="Address"
        aria-invalid={isRefused}
        aria-describedby={isRefused ? noteId : undefined}
        placeholder="https://…"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
          event.preventDefault()
          event.stopPropagation()
          apply()
        }}
      />
      <Button onClick={apply}>Apply</Button>
      {href !== '' && (
        <Button kind="quiet" onClick={() => bubble.setLink('')}>
          Remove
        </Button>
      )}
      {isRefused && (
        <p id={noteId} role="alert">
          This address cannot be stored: enter one that begins with https://.
        </p>
      )}
    </div>
  )
}
