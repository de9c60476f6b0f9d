import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'

/** Says again where the element that has the focus stands: live changes insert and remove others above it. */
export function useFocusMoved(ref: RefObject<HTMLElement | null>, index: number, onFocus: () => void): void {
  const onMove = useEffectEvent(onFocus)
  useLayoutEffect(() => {
    if (document.activeElement === ref.current) onMove()
  }, [ref, index])
}
