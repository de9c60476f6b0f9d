import { useEffect, useState, useSyncExternalStore } from 'react'
import { messageOf } from '../data/api.ts'
import { Listeners } from '../data/listeners.ts'
import type { WriteRequest } from '../data/use-request.ts'
import { Kbd } from '../parts/bits.tsx'
import { Button } from '../parts/controls.tsx'
import { FloatingNote } from './floating-note.tsx'
import { announce, useCommands } from '../keys.ts'

/** Milliseconds for which a change can be undone, and its note is displayed. */
const UNDO_MS = 60_000
const NOTE_MS = 8000

interface Done {
  /** The change: `ENG-4 is in Done`. */
  title: string
  /** The state after undoing: `ENG-4 is in Todo again`. */
  undone: string
  /** The text of the button that undoes it; default: `Undo`. */
  word?: string
  at: number
  undo(): Promise<unknown>
}
let done: readonly Done[] = []
/** The last change, or why it could not be undone. */
let note: Done | { message: string } | undefined
const listeners = new Listeners()

function show(next: typeof note): void {
  note = next
  listeners.call()
}

/** Shows why an action failed, where no other place shows it. */
export function reportProblem(error: unknown): void {
  const message = messageOf(error)
  announce(message)
  show({ message })
}

export function offerUndo(change: Omit<Done, 'at'>): void {
  const at = Date.now()
  announce(change.title)
  const last = { ...change, at }
  done = [...done.filter(each => at - each.at < UNDO_MS), last]
  show(last)
}

/** @param path of its routes */
export const offerRestore = (
  send: (request: WriteRequest) => Promise<unknown>,
  path: string,
  names: Pick<Done, 'title' | 'undone'>
): void => offerUndo({ ...names, word: 'Restore', undo: () => send({ path: `${path}/restore`, method: 'POST' }) })

/** @param name in a sentence: `The label slow`. @returns false if it was refused */
export const removeRestorable = (
  send: (request: WriteRequest) => Promise<unknown>,
  path: string,
  name: string
): Promise<boolean> =>
  send({ path, method: 'DELETE' }).then(
    () => {
      offerRestore(send, path, { title: `${name} is removed`, undone: `${name} is there again` })
      return true
    },
    () => false
  )

async function undoLast(): Promise<void> {
  const last = done.at(-1)
  if (!last || Date.now() - last.at >= UNDO_MS) return announce('There is nothing to undo.')
  done = done.slice(0, -1)
  show(undefined)
  await last.undo().then(() => announce(`Undone: ${last.undone}`), reportProblem)
}

export function UndoNote() {
  const current = useSyncExternalStore(listeners.add, () => note)
  const [hidden, setHidden] = useState<typeof current>()
  useEffect(() => {
    const timer = setTimeout(() => setHidden(current), NOTE_MS)
    return () => clearTimeout(timer)
  }, [current])
  useCommands([{ id: 'undo', title: 'Undo', section: 'General', keys: ['mod+z'], run: undoLast }])
  if (current === undefined || current === hidden) return null
  if ('message' in current) {
    return (
      <FloatingNote label="Not done" side="right">
        <span>{current.message}</span>
      </FloatingNote>
    )
  }
  return (
    <FloatingNote label="Last change" side="right">
      <span>{current.title}</span>
      <Button kind="quiet" onClick={undoLast}>
        {current.word ?? 'Undo'} <Kbd keys="mod+z" />
      </Button>
    </FloatingNote>
  )
}
