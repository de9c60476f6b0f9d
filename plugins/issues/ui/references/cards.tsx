import { Suspense, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import {
  CARD_ATTRIBUTE,
  isComposing,
  lazyElement,
  putBeside,
  Skeleton,
  whilePlaced
} from '../../../ui/browser/contract.ts'
import styles from './cards.module.css'

const CARD_ID = 'reference-card'
const OPEN_MS = 300
/** For the way of the pointer from the words to the card. */
const CLOSE_MS = 200
const loadCard = () => import('./card.tsx')

const cardedElement = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>(`[${CARD_ATTRIBUTE}]`)) || undefined

/**
 * The card of an issue or account that a text names: opens on hover, and when a key moves the focus or the cursor of
 * an editor there. Escape closes it. A touch opens the link instead.
 */
export function ReferenceCards() {
  const [element, setElement] = useState<HTMLElement>()
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => hearWords(card, setElement), [])
  useEffect(() => (element ? hearKeys(() => setElement(undefined)) : undefined), [element])
  return element ? <OpenCard key={element.getAttribute(CARD_ATTRIBUTE)} card={card} element={element} /> : null
}

function OpenCard({ card, element }: { card: RefObject<HTMLDivElement | null>; element: HTMLElement }) {
  useLayoutEffect(() => {
    const shown = card.current!
    shown.showPopover()
    // An editor would take it for a change of its text.
    if (!element.isContentEditable) element.setAttribute('aria-describedby', CARD_ID)
    const place = () => putBeside(shown, element.getBoundingClientRect(), 'above')
    const end = whilePlaced(place)
    const sizes = new ResizeObserver(place)
    sizes.observe(shown)
    return () => {
      end()
      sizes.disconnect()
      element.removeAttribute('aria-describedby')
    }
  }, [card, element])
  // Outside of a modal dialog it could not be reached; outside of landmarks it would not be found.
  return createPortal(
    <div ref={card} id={CARD_ID} role="tooltip" popover="manual" className={styles['card']}>
      <Suspense fallback={<Skeleton />}>
        {lazyElement(loadCard, { of: element.getAttribute(CARD_ATTRIBUTE)! })}
      </Suspense>
    </div>,
    element.closest('dialog, main') ?? document.body
  )
}

const isTouchScreen = () => matchMedia('(pointer: coarse)').matches

type Show = (element: HTMLElement | undefined) => void

function hearWords(card: RefObject<HTMLDivElement | null>, show: Show): () => void {
  let timer = 0
  const showIn = (ms: number, element: HTMLElement | undefined) => {
    clearTimeout(timer)
    timer = window.setTimeout(() => show(element), ms)
  }
  const listeners = new AbortController()
  const options = { signal: listeners.signal }
  document.addEventListener(
    'pointerover',
    ({ target, pointerType }) => {
      // After a tap, the browser moves a mouse there, too.
      if (pointerType === 'touch' || isTouchScreen()) return
      const element = cardedElement(target)
      if (element) showIn(OPEN_MS, element)
      else if (card.current?.contains(target as Node)) clearTimeout(timer)
      else showIn(CLOSE_MS, undefined)
    },
    options
  )
  document.addEventListener(
    'focusin',
    ({ target }) => {
      const element = cardedElement(target)
      if (element?.matches(':focus-visible')) showIn(OPEN_MS, element)
    },
    options
  )
  document.addEventListener(
    'selectionchange',
    () => {
      const selection = getSelection()
      const element = cardedElement(selection?.anchorNode?.parentElement ?? null)
      if (!selection?.isCollapsed || !element?.isContentEditable) return
      if (!isTouchScreen()) showIn(OPEN_MS, element)
    },
    options
  )
  for (const type of ['focusout', 'pointerdown'] as const) {
    document.addEventListener(type, () => showIn(0, undefined), options)
  }
  return () => {
    clearTimeout(timer)
    listeners.abort()
  }
}

/** Closes the card on any key. Escape does nothing else, such as closing a dialog below the card. */
function hearKeys(close: () => void): () => void {
  const hear = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !isComposing(event)) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    close()
  }
  window.addEventListener('keydown', hear, { capture: true })
  return () => window.removeEventListener('keydown', hear, { capture: true })
}
