const GAP = 4
const MARGIN = 8

export interface Place {
  left: number
  top: number
  bottom: number
}

/** Beyond the preferred side where there is more room; never beyond the window. */
export function putBeside(element: HTMLElement, { left, top, bottom }: Place, preferred: 'above' | 'below' = 'below') {
  // A phone's keyboard covers the window below it.
  const { offsetLeft, offsetTop, width, height } = window.visualViewport!
  element.style.maxHeight = ''
  const roomAbove = top - offsetTop - GAP - MARGIN
  const roomBelow = offsetTop + height - bottom - GAP - MARGIN
  const { offsetHeight, offsetWidth } = element
  const [room, otherRoom] = preferred === 'below' ? [roomBelow, roomAbove] : [roomAbove, roomBelow]
  const isAbove = (preferred === 'above') === (offsetHeight <= room || room >= otherRoom)
  const shownHeight = Math.min(offsetHeight, Math.max(MARGIN, isAbove ? roomAbove : roomBelow))
  const right = offsetLeft + width - offsetWidth - MARGIN
  // No limit unless it is needed: the content may still grow.
  if (shownHeight < offsetHeight) element.style.maxHeight = `${shownHeight}px`
  element.style.left = `${Math.max(offsetLeft + MARGIN, Math.min(left, right))}px`
  element.style.top = `${isAbove ? top - GAP - shownHeight : bottom + GAP}px`
}

/** @returns a function that ends it */
export function whilePlaced(place: () => void): () => void {
  place()
  const options = { capture: true, passive: true }
  window.addEventListener('scroll', place, options)
  window.addEventListener('resize', place)
  window.visualViewport!.addEventListener('resize', place)
  return () => {
    window.removeEventListener('scroll', place, options)
    window.removeEventListener('resize', place)
    window.visualViewport!.removeEventListener('resize', place)
  }
}
