import { useSyncExternalStore } from 'react'
import { Listeners } from '../data/listeners.ts'

/** How something is displayed, remembered in this browser. */
export interface StoredState<T extends object> {
  /** A hook. */
  use(): T
  now(): T
  change(changed: Partial<T>): void
}

/** @param key in the local storage @param usual values of fields that are not stored */
export function storedState<T extends object>(key: string, usual: T): StoredState<T> {
  let state = usual
  try {
    state = { ...usual, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>) }
  } catch {
    // It is not readable, and is replaced by the next change.
  }
  const listeners = new Listeners()
  const now = () => state
  return {
    use: () => useSyncExternalStore(listeners.add, now),
    now,
    change(changed) {
      state = { ...state, ...changed }
      localStorage.setItem(key, JSON.stringify(state))
      listeners.call()
    }
  }
}
