import { useEffect, useState, useSyncExternalStore } from 'react'
import { messageOf } from './api.ts'
import { Kbd } from './bits.tsx'
import { Button } from './controls.tsx'
import { FloatingNote } from './floating-note.tsx'
import { announce, useCommands } from './keys.ts'

/** Milliseconds for which a change can be taken back, and for which the note about it is shown. */
const UNDO_MS = 60_000
const NOTE_MS = 8000

interface Done {
  /** What was done: `ENG-4 is in Done`. */
  title: string
  at: number
  undo(): Promise<unknown>
}
let done: readonly Done[] = []
const listeners = new Set<() => void>()

function setDone(next: readonly Done[]): void {
  done = next
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says what was done, and lets it be taken back for a minute. */
export function offerUndo(title: string, undo: () => Promise<unknown>): void {
  const at = Date.now()
  announce(title)
  setDone([...done.filter(each => at - each.at < UNDO_MS), { title, at, undo }])
}

async function undoLast(): Promise<void> {
  const last = done.at(-1)
  if (!last || Date.now() - last.at >= UNDO_MS) return announce('There is nothing to undo.')
  setDone(done.slice(0, -1))
  await last.undo().then(
    () => announce(`Undone: ${last.title}`),
    (error: unknown) => announce(messageOf(error))
  )
}

/** The last change, for some seconds, with what takes it back. */
export function UndoNote() {
  const last = useSyncExternalStore(subscribe, () => done.at(-1))
  const [hidden, setHidden] = useState<Done>()
  useEffect(() => {
    const timer = setTimeout(() => setHidden(last), NOTE_MS)
    return () => clearTimeout(timer)
  }, [last])
  useCommands([{ id: 'undo', title: 'Undo', section: 'General', keys: ['mod+z'], run: undoLast }])
  if (last === undefined || last === hidden) return null
  return (
    <FloatingNote label="Done" side="right">
      <span>{last.title}</span>
      <Button kind="quiet" onClick={undoLast}>
        Undo <Kbd keys="mod+z" />
      </Button>
    </FloatingNote>
  )
}
