import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { prefix } from '../go.ts'
import { contributions, liveQueries } from '../registry.ts'
import type { Session } from '../session/session.ts'
import { api } from './api.ts'

const GATHER_MS = 150
/** Milliseconds without a connection before a notice is shown. */
const LOST_AFTER_MS = 2000
const REOPEN_MS = 3000

type Message = { type: string; cursor: string } | { isOpen: boolean }

/**
 * Follows the event stream and refetches changed data. Browsers open six connections to a host over HTTP/1.1, so one of
 * the tabs holds the stream and forwards events to the others; when it closes, another gets the lock, and goes on after
 * the last event.
 * @param eventCursor from before the data of the page, so that no change is missed until the stream is open; null: the
 * server has no streams
 * @returns true while the connection is lost
 */
export function useLive(eventCursor: string | null): boolean {
  const client = useQueryClient()
  const [isLost, setLost] = useState(false)
  const cursor = useRef(eventCursor)
  const hasStreams = eventCursor !== null
  useEffect(() => {
    if (!hasStreams) return undefined
    const channel = new BroadcastChannel('tracker-live' + prefix)
    const end = new AbortController()
    const handle = handlerOf(client, setLost, end.signal)
    const receive = (message: Message) => {
      if ('cursor' in message) cursor.current = message.cursor
      handle(message)
    }
    channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data)
    const publish = (message: Message) => {
      receive(message)
      channel.postMessage(message)
    }
    const hold = () => holdStream(client, cursor.current, publish, end.signal)
    // Without TLS, except on localhost, there are no locks: each tab has its own stream.
    if ('locks' in navigator) {
      navigator.locks.request('tracker-live' + prefix, { signal: end.signal }, hold).catch(() => undefined)
    } else {
      hold().catch(() => undefined)
    }
    return () => {
      end.abort()
      channel.close()
    }
  }, [client, hasStreams])
  return isLost
}

function handlerOf(client: QueryClient, setLost: (isLost: boolean) => void, end: AbortSignal) {
  const changed = new Set<string>()
  let gathering = 0
  let losing = 0
  end.addEventListener('abort', () => {
    clearTimeout(gathering)
    clearTimeout(losing)
  })
  function refresh(): void {
    gathering = 0
    for (const query of changed) {
      // The page shows this change already; refetching before the server's answer may return the old state.
      if (client.isMutating({ mutationKey: [query] }) > 0) continue
      client.invalidateQueries({ queryKey: [query] })
      changed.delete(query)
    }
    if (changed.size > 0) gathering = window.setTimeout(refresh, GATHER_MS)
  }
  return (message: Message): void => {
    if ('isOpen' in message) {
      clearTimeout(losing)
      if (message.isOpen) setLost(false)
      else losing = window.setTimeout(() => setLost(true), LOST_AFTER_MS)
      return
    }
    for (const { events, queries } of contributions(liveQueries)) {
      if (message.type.startsWith(events)) for (const query of queries) changed.add(query)
    }
    gathering ||= window.setTimeout(refresh, GATHER_MS)
  }
}

/** @param cursor null: from now on */
function holdStream(
  client: QueryClient,
  cursor: string | null,
  publish: (message: Message) => void,
  end: AbortSignal
): Promise<void> {
  let wasLost = false
  function open(after: string | null): void {
    if (end.aborted) return
    const stream = new EventSource(`${prefix}/v1/events${after === null ? '' : `?after=${after}`}`)
    stream.onmessage = ({ data, lastEventId }: MessageEvent<string>) =>
      publish({ ...(JSON.parse(data) as { type: string }), cursor: lastEventId })
    stream.onopen = () => {
      publish({ isOpen: true })
      // It resumes where it was interrupted, unless that is too long ago.
      if (wasLost) client.invalidateQueries()
      wasLost = false
    }
    stream.onerror = () => {
      wasLost = true
      publish({ isOpen: false })
      // Browsers reconnect by themselves, but not after an error answer.
      if (stream.readyState === EventSource.CLOSED) reopenLater()
    }
    end.addEventListener('abort', () => stream.close())
  }
  function reopenLater(): void {
    if (!end.aborted) window.setTimeout(() => reopen().catch(reopenLater), REOPEN_MS)
  }
  /** The server may have been started again without streams. */
  async function reopen(): Promise<void> {
    const { account, eventCursor } = await api<Session>('/v1/session')
    if (account !== null && eventCursor === null) publish({ isOpen: true })
    else open(null)
  }
  open(cursor)
  return new Promise(resolve => end.addEventListener('abort', () => resolve()))
}
