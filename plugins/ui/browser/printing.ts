import { useSyncExternalStore } from 'react'

const query = window.matchMedia('print')
function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the page is being printed: then all of a listing that is loaded is rendered, not only what is in sight. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
