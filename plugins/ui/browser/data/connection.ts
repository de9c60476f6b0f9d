import { useEffect, useSyncExternalStore } from 'react'
import { prefix } from '../go.ts'
import { Listeners } from './listeners.ts'

const RETRY_MS = 3000
/** Milliseconds for an answer: a network may lose requests. */
export const TIMEOUT_MS = 15_000

const listeners = new Listeners()
let isOffline = false
let timer = 0

export function noteReached(isReached: boolean): void {
  // A single request that fails may have other reasons.
  if (!isReached) checkConnection()
  else if (isOffline) setOffline(false)
}

function setOffline(next: boolean): void {
  if (next === isOffline) return
  isOffline = next
  clearInterval(timer)
  if (isOffline) timer = window.setInterval(checkConnection, RETRY_MS)
  listeners.call()
}

/** A proxy answers for a server that cannot be reached, but not in JSON. */
export const isOfProxy = (status: number, isJson: boolean): boolean => status >= 502 && status <= 504 && !isJson

/** Browsers know whether they have a network, but not whether the server can be reached. */
function checkConnection(): void {
  fetch(`${prefix}/v1/session`, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ status, headers }) => setOffline(isOfProxy(status, headers.get('content-type')?.includes('json') === true)),
    () => setOffline(true)
  )
}

export const useIsOffline = (): boolean => useSyncExternalStore(listeners.add, () => isOffline)
export const isServerOffline = (): boolean => isOffline
/** @returns a function that removes the listener */
export const onConnectionChange = listeners.add

/** @param isLost the event stream has ended */
export function useConnectionCheck(isLost: boolean): void {
  useEffect(() => {
    window.addEventListener('online', checkConnection)
    window.addEventListener('offline', checkConnection)
    return () => {
      window.removeEventListener('online', checkConnection)
      window.removeEventListener('offline', checkConnection)
    }
  }, [])
  useEffect(() => {
    if (isLost) checkConnection()
  }, [isLost])
}
