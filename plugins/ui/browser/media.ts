import { useSyncExternalStore } from 'react'

export function mediaHook(text: string): () => boolean {
  const query = window.matchMedia(text)
  function subscribe(listener: () => void): () => void {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}

/** True while the page is being printed: then a listing renders all loaded rows, not only the visible ones. */
export const usePrinting = mediaHook('print')
