import { useId, useRef, type ReactNode } from 'react'
import { moveFocus } from '../keys.ts'
import { reportProblem } from '../shell/undo.tsx'
import { Button } from './controls.tsx'
import styles from './controls.module.css'
import { Icon } from './icons.tsx'

export interface MenuItem {
  title: string
  /** Displayed instead of the title, such as an emoji. */
  symbol?: string
  isDangerous?: boolean
  /** The reason why it is not possible now; undefined: it is possible. */
  whyNot?: string | undefined
  run(): void | Promise<void>
}
const GAP = 4
/** Pixels, with an entry's share of the menu's padding. */
const MAX_ENTRY_HEIGHT = 50

/** The browser focuses it when it shows the popover: an event handler would run only after the next key. */
const focusWhenShown = (entry: HTMLElement | null) => entry?.setAttribute('autofocus', '')

/** Pixels that a row of symbols, or the titles of a menu, may need. */
const MAX_WIDTH = 260

function place(list: HTMLElement, button: HTMLElement, layout: 'row' | 'column'): void {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const height = (layout === 'row' ? 1 : list.childElementCount) * MAX_ENTRY_HEIGHT
  const isLow = clientHeight - bottom < Math.min(top, height)
  Object.assign(list.style, {
    top: isLow ? 'auto' : `${bottom + GAP}px`,
    bottom: isLow ? `${clientHeight - top + GAP}px` : 'auto',
    ...(layout === 'row' || right < MAX_WIDTH
      ? { left: `${Math.max(GAP, Math.min(left, clientWidth - MAX_WIDTH))}px`, right: 'auto' }
      : { left: 'auto', right: `${clientWidth - right}px` })
  })
}

interface MenuProps {
  label: string
  items: readonly MenuItem[]
  icon?: string
  layout?: 'row' | 'column'
  keyshortcuts?: string | undefined
  onOpen?: () => unknown
  children?: ReactNode
}
export function Menu({ label, items, icon = 'more', layout = 'column', keyshortcuts, onOpen, children }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const entries = () => [...list.current!.querySelectorAll<HTMLElement>('[role=menuitem]')]
  return (
    <>
      <span ref={button}>
        <Button
          kind="quiet"
          aria-label={label}
          title={label}
          aria-haspopup="menu"
          aria-keyshortcuts={keyshortcuts}
          popoverTarget={id}
        >
          {children ?? <Icon name={icon} />}
        </Button>
      </span>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={styles['menu']}
        data-layout={layout}
        onBeforeToggle={event => {
          if (event.newState !== 'open') return
          place(list.current!, button.current!, layout)
          onOpen?.()
        }}
        onKeyDown={event => moveFocus(event, entries(), layout)}
      >
        {items.map(({ title, symbol, isDangerous, whyNot, run }, n) => (
          <button
            key={title}
            ref={n === 0 ? focusWhenShown : undefined}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-label={symbol && title}
            title={symbol && title}
            data-danger={isDangerous}
            aria-disabled={whyNot !== undefined || undefined}
            onClick={() => {
              if (whyNot !== undefined) return
              list.current!.hidePopover()
              Promise.resolve(run()).catch(reportProblem)
            }}
          >
            {symbol ?? title}
            {whyNot !== undefined && <small>{whyNot}</small>}
          </button>
        ))}
      </div>
    </>
  )
}
