import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { prefix } from './go.ts'
import { contributions, liveQueries } from './registry.ts'

/** Milliseconds in which further events come before what they change is asked for again. */
const GATHER_MS = 150
/** Milliseconds without a connection after which the reader is told. */
const LOST_AFTER_MS = 2000
/** Milliseconds after which a stream that was refused is opened again. */
const REOPEN_MS = 3000

type Message = { type: string } | { isOpen: boolean }

/**
 * Hears the event stream and asks again for what changed. A browser opens six connections to a host over HTTP/1.1, so
 * of all its tabs one holds the stream and tells the others; when it closes, the lock passes on.
 * @returns whether the connection is lost
 */
export function useLive(): boolean {
  const client = useQueryClient()
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const channel = new BroadcastChannel('tracker-live' + prefix)
    const end = new AbortController()
    const hear = listener(client, setLost, end.signal)
    channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data)
    const tell = (message: Message) => {
      hear(message)
      channel.postMessage(message)
    }
    const hold = () => holdStream(client, tell, end.signal)
    // Without TLS, and not on this machine, there are no locks: there each tab has a stream of its own.
    if ('locks' in navigator) {
      navigator.locks.request('tracker-live' + prefix, { signal: end.signal }, hold).catch(() => undefined)
    } else {
      hold().catch(() => undefined)
    }
    return () => {
      end.abort()
      channel.close()
    }
  }, [client])
  return isLost
}

/** What a tab does with each message: it asks again for what changed, and says when the connection is lost. */
function listener(client: QueryClient, setLost: (isLost: boolean) => void, end: AbortSignal) {
  const changed = new Set<string>()
  let gathering = 0
  let losing = 0
  end.addEventListener('abort', () => {
    clearTimeout(gathering)
    clearTimeout(losing)
  })
  function refresh(): void {
    gathering = 0
    for (const query of changed) client.invalidateQueries({ queryKey: [query] })
    changed.clear()
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

/** Holds the stream, and tells what comes over it, until the end. */
function holdStream(client: QueryClient, tell: (message: Message) => void, end: AbortSignal): Promise<void> {
  let wasLost = false
  function open(): void {
    const stream = new EventSource(`${prefix}/v1/events`)
    stream.onmessage = ({ data }: MessageEvent<string>) => tell(JSON.parse(data) as Message)
    stream.onopen = () => {
      tell({ isOpen: true })
      // It resumes where it broke off, unless that is too long ago.
      if (wasLost) client.invalidateQueries()
      wasLost = false
    }
    stream.onerror = () => {
      wasLost = true
      tell({ isOpen: false })
      // The browser tries again by itself, but not after an answer that is an error.
      if (stream.readyState === EventSource.CLOSED && !end.aborted) window.setTimeout(open, REOPEN_MS)
    }
    end.addEventListener('abort', () => stream.close())
  }
  open()
  return new Promise(resolve => end.addEventListener('abort', () => resolve()))
}
