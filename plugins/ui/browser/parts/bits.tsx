import { useSyncExternalStore, type ReactNode } from 'react'
import { messageOf } from '../data/api.ts'
import styles from './bits.module.css'
import { isMac } from '../keys.ts'

export const unseenClass = styles['unseen']!

const KEY_NAMES: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  ctrl: isMac ? '⌃' : 'Ctrl',
  alt: isMac ? '⌥' : 'Alt',
  shift: '⇧',
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  enter: '↵',
  escape: 'Esc',
  delete: 'Del'
}
const nameOfKey = (key: string): string => KEY_NAMES[key] ?? key.toUpperCase()

export const keyText = (keys: string): string => keys.split('+').map(nameOfKey).join(' ')

export function Kbd({ keys }: { keys: string }) {
  return (
    <span className={styles['keys']}>
      {keys.split(/[ +]/).map(key => (
        <kbd key={key}>{nameOfKey(key)}</kbd>
      ))}
    </span>
  )
}

const UNITS: ReadonlyArray<readonly [seconds: number, name: string]> = [
  [31_536_000, 'y'],
  [2_592_000, 'mo'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'm']
]
function ago(at: string): string {
  const seconds = (Date.now() - Date.parse(at)) / 1000
  const unit = UNITS.find(([size]) => seconds >= size)
  return unit ? `${Math.floor(seconds / unit[0])}${unit[1]} ago` : 'just now'
}

const MINUTE_MS = 60_000
function subscribeToMinutes(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE_MS)
  return () => clearInterval(timer)
}

export function Time({ at }: { at: string }) {
  useSyncExternalStore(subscribeToMinutes, () => Math.floor(Date.now() / MINUTE_MS))
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className={styles['time']}>
      {ago(at)}
    </time>
  )
}

const bytesFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
/** `12 KB`, `1.4 MB` */
export function formatBytes(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${bytesFormat.format(bytes / 1000 ** power)} ${['bytes', 'KB', 'MB', 'GB'][power]}`
}

export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className={styles['skeleton']} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  )
}

export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <p>{title}</p>
      <div>{children}</div>
    </div>
  )
}

export function ErrorNote({ error }: { error: unknown }) {
  return (
    <p role="alert" className={styles['error']}>
      {messageOf(error)}
    </p>
  )
}

export const Meter = ({ label, value, max }: { label: string; value: number; max: number }) => (
  <meter className={styles['meter']} min={0} max={Math.max(1, max)} value={value} aria-label={label} />
)
