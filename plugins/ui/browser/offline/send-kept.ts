import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, ApiProblem } from '../data/api.ts'
import { isServerOffline, onConnectionChange, TIMEOUT_MS } from '../data/connection.ts'
import { prefix } from '../go.ts'
import type { Session } from '../session/session.ts'
import { keepFor, keptAccount, refuseKept, removeKept, showKept, waitingChanges } from './kept.ts'

/** Milliseconds before another attempt while the server can be reached, but does not answer. */
const RETRY_MS = 3000

/** The answer says nothing about the change: the same request may succeed later. */
const isTemporary = (error: ApiProblem): boolean =>
  [0, 401, 429, 502, 503, 504].includes(error.status) || error.code === 'IDEMPOTENCY_KEY_IN_USE'

export function useKeeping(accountId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    let timer = 0
    function send(): void {
      clearTimeout(timer)
      if (isServerOffline()) return
      inOneTab(() => sendAll(client, accountId)).then(
        () => {
          if (waitingChanges().length > 0) timer = window.setTimeout(send, RETRY_MS)
        },
        // Somebody else is signed in: the changes wait for their account.
        () => undefined
      )
    }
    const end = keepFor(accountId, send)
    send()
    const stopListening = onConnectionChange(() => {
      if (!isServerOffline() && waitingChanges().length === 0) client.invalidateQueries()
      send()
    })
    return () => {
      clearTimeout(timer)
      stopListening()
      end()
    }
  }, [client, accountId])
}

let running = Promise.resolve()
/** Without TLS, except on localhost, there are no locks: the keys of the requests alone prevent a second effect. */
function inOneTab(act: () => Promise<void>): Promise<void> {
  const locked = () => ('locks' in navigator ? navigator.locks.request(`tracker-kept${prefix}`, act) : act())
  running = running.then(locked, locked)
  return running
}

/** @throws when the session is of another account */
async function sendAll(client: QueryClient, accountId: string): Promise<void> {
  let isSent = false
  for (let [next] = waitingChanges(); next && keptAccount() === accountId; [next] = waitingChanges()) {
    try {
      // Another tab may have signed in somebody else.
      const { account } = await api<Session>('/v1/session', { timeoutMs: TIMEOUT_MS })
      if (account?.id !== accountId) throw new Error('another account')
      const headers = { 'idempotency-key': next.id }
      await api(next.path, { body: next.body, headers, timeoutMs: TIMEOUT_MS })
      removeKept(next)
      isSent = true
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      if (isTemporary(error)) break
      const { message, details, status } = error
      refuseKept(next, { message, details, status })
    }
  }
  // Until it is read again, the change stays displayed.
  if (isSent) await Promise.race([client.invalidateQueries(), new Promise(resolve => setTimeout(resolve, RETRY_MS))])
  showKept()
}
