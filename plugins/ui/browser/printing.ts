import { useSyncExternalStore } from 'react'

const query = window.matchMedia('print')
function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** True while the page is being printed: then a listing renders all loaded rows, not only the visible ones. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
