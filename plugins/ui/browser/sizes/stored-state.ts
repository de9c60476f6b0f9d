import { useSyncExternalStore } from 'react'
import { Listeners } from '../data/listeners.ts'
import { remember } from '../data/remember.ts'

interface StoredState<T extends object> {
  use(): T
  now(): T
  change(changed: Partial<T>): void
}

/** @param usual values of fields that are not stored */
export function storedState<T extends object>(key: string, usual: T): StoredState<T> {
  let state = usual
  try {
    state = { ...usual, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>) }
  } catch {
    // The stored state is not readable: the next change replaces it.
  }
  const listeners = new Listeners()
  const now = () => state
  return {
    use: () => useSyncExternalStore(listeners.add, now),
    now,
    change(changed) {
      state = { ...state, ...changed }
      remember(key, JSON.stringify(state))
      listeners.call()
    }
  }
}
