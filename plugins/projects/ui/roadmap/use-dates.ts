import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, dayText, offerUndo } from '../../../ui/browser/contract.ts'
import { PROJECT_QUERIES, type Project } from '../data.ts'
import type { Dates } from './line.ts'

export type ChangeDates = (project: Project, to: Dates) => void

interface DateChanges {
  change: ChangeDates
  /** By project; the server does not have them yet. */
  pending: ReadonlyMap<string, Dates>
  error: unknown
}
/** One after the other; they are shown at once. */
export function useDates(): DateChanges {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [pending, setPending] = useState<ReadonlyMap<string, Dates>>(new Map())
  const last = useRef<Promise<unknown>>(Promise.resolve())
  function send(id: string, to: Dates, previous: Dates): Promise<unknown> {
    setPending(now => new Map(now).set(id, to))
    const write = () => api(`/v1/projects/${id}`, { body: { ...to, previous } })
    const sent = last.current.then(write, write)
    last.current = sent
    async function showStored(): Promise<void> {
      if (last.current !== sent) return
      await Promise.all(PROJECT_QUERIES.map(query => client.invalidateQueries({ queryKey: [query] })))
      if (last.current === sent) setPending(new Map())
    }
    sent.then(showStored, showStored)
    return sent
  }
  const change: ChangeDates = ({ id, name, startsOn, targetOn }, to) => {
    const before = { startsOn, targetOn }
    if (to.startsOn === startsOn && to.targetOn === targetOn) return
    setError(null)
    const offer = () =>
      offerUndo({
        title: `${name}: ${datesText(to)}`,
        undone: `${name}: ${datesText(before)}`,
        undo: () => send(id, before, to)
      })
    send(id, to, before).then(offer, setError)
  }
  return { change, pending, error }
}

/** `Mon 5 Jan – Fri 6 Mar` */
export const datesText = ({ startsOn, targetOn }: Dates): string =>
  startsOn === null && targetOn === null
    ? 'no dates'
    : `${startsOn ? dayText(startsOn) : 'no start'} – ${targetOn ? dayText(targetOn) : 'no target'}`
