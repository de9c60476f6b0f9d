const MS = 140
/** A change is displayed by then, or not at all. */
const MAX_WAIT_MS = 500

const cardsOf = (board: Element) => board.querySelectorAll<HTMLElement>('[data-row]')
const isCard = (node: Node) => node instanceof Element && node.querySelector('[data-row]') !== null

/** Cards glide from where they are now to where the next change of the board puts them. */
export function glide(board: HTMLElement | null): void {
  if (!board || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const before = new Map([...cardsOf(board)].map(card => [card.dataset['row'], card.getBoundingClientRect()]))
  const observer = new MutationObserver(records => {
    // The slot of a drag is removed before the change is displayed.
    if (!records.some(({ addedNodes }) => [...addedNodes].some(isCard))) return
    observer.disconnect()
    for (const card of cardsOf(board)) {
      const from = before.get(card.dataset['row'])
      if (!from) continue
      const to = card.getBoundingClientRect()
      const [x, y] = [from.left - to.left, from.top - to.top]
      if (x === 0 && y === 0) continue
      card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], {
        duration: MS,
        easing: 'ease-out'
      })
    }
  })
  observer.observe(board, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), MAX_WAIT_MS)
}
