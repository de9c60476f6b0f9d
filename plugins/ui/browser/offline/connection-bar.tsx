import { useEffect, useState } from 'react'
import { useIsOffline } from '../data/connection.ts'
import { Button, Dialog } from '../parts/controls.tsx'
import { Icon } from '../parts/icons.tsx'
import { isWaiting, useKept } from './kept.ts'
import { useRootAttribute } from '../sizes/root-attribute.ts'
import { KeptList } from './kept-list.tsx'
import styles from './offline.module.css'

const BACK_MS = 5000

const changes = (count: number): string => (count === 1 ? '1 change' : `${count} changes`)

/** @param isLost the event stream has ended */
export function ConnectionBar({ isLost }: { isLost: boolean }) {
  const isOffline = useIsOffline()
  const kept = useKept()
  const [isOpen, setOpen] = useState(false)
  const waiting = kept.filter(isWaiting).length
  const isBack = useIsBack(isOffline || waiting > 0)
  const refused = kept.length - waiting
  const text = textOf({ isOffline, isBack, isLost, waiting, refused })
  useRootAttribute('data-bar', text !== undefined)
  return (
    <>
      <div className={styles['bar']} data-offline={isOffline || undefined}>
        <p role="status">
          {text && <Icon name={isOffline || isLost ? 'offline' : refused > 0 ? 'warning' : 'check'} size={14} />}
          {text}
        </p>
        {text !== undefined && kept.length > 0 && (
          <Button kind="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Show
          </Button>
        )}
      </div>
      <Dialog title="Changes that are not sent" isOpen={isOpen} isSheet onClose={() => setOpen(false)}>
        {kept.length > 0 ? (
          <KeptList changes={kept} />
        ) : (
          <p className={styles['none']}>None: the server has all of them.</p>
        )}
      </Dialog>
    </>
  )
}

interface Connection {
  isOffline: boolean
  isBack: boolean
  isLost: boolean
  waiting: number
  refused: number
}
function textOf({ isOffline, isBack, isLost, waiting, refused }: Connection): string | undefined {
  if (isOffline && waiting > 0) return `Offline: ${changes(waiting)} will be sent when you are online.`
  if (isOffline) return 'Offline: comments and changes of properties are kept until you are online.'
  if (waiting > 0) return `Sending ${changes(waiting)}…`
  if (refused > 0) return refused === 1 ? '1 change was not made.' : `${refused} changes were not made.`
  if (isLost) return 'Reconnecting…'
  return isBack ? 'Online again' : undefined
}

function useIsBack(isAway: boolean): boolean {
  const [wasAway, setWasAway] = useState(false)
  if (isAway && !wasAway) setWasAway(true)
  useEffect(() => {
    if (isAway || !wasAway) return
    const timer = setTimeout(() => setWasAway(false), BACK_MS)
    return () => clearTimeout(timer)
  }, [isAway, wasAway])
  return wasAway && !isAway
}
