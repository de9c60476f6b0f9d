import { useSyncExternalStore } from 'react'
import { api, isUnreached } from '../data/api.ts'
import { isServerOffline, TIMEOUT_MS } from '../data/connection.ts'
import { Listeners } from '../data/listeners.ts'
import { randomKey } from '../data/random-key.ts'

export interface KeptAbout {
  /** Where it is displayed as not sent yet: the id of an issue, or the name of the draft of a comment. */
  subject: string
  /** `Status of ENG-12` */
  title: string
  href: string
}
export interface KeptChange extends KeptAbout {
  /** Also the `Idempotency-Key` of its request; in the order of the changes. */
  id: string
  path: string
  body: Readonly<Record<string, unknown>>
  at: string
  problem?: { message: string; details: Readonly<Record<string, unknown>>; status: number }
}

/* Each change is an entry of its own: several tabs write at the same time. */
const BEGINNING = 'tracker.kept.'
const listeners = new Listeners()
let account = ''
let shown: readonly KeptChange[] = []
let lastTime = 0

const keyOf = (id: string): string => `${BEGINNING}${account}.${id}`
function read(key: string): KeptChange[] {
  try {
    return [JSON.parse(localStorage.getItem(key) ?? '') as KeptChange]
  } catch {
    return []
  }
}

const storedChanges = (): KeptChange[] =>
  Object.keys(localStorage)
    .filter(key => account !== '' && key.startsWith(keyOf('')))
    .toSorted()
    .flatMap(read)
export const waitingChanges = (): KeptChange[] => storedChanges().filter(({ problem }) => problem === undefined)

export function showKept(): void {
  shown = storedChanges()
  listeners.call()
}
function store(change: KeptChange): void {
  localStorage.setItem(keyOf(change.id), JSON.stringify(change))
  showKept()
}
export const refuseKept = (change: KeptChange, problem: NonNullable<KeptChange['problem']>): void =>
  store({ ...change, problem })
/** It stays displayed until `showKept`. */
export const removeKept = ({ id }: KeptChange): void => localStorage.removeItem(keyOf(id))
export function discardKept(change: KeptChange): void {
  removeKept(change)
  showKept()
}

/** @param send sends the changes, as soon as it can */
export function keepFor(accountId: string, send: () => void): () => void {
  account = accountId
  sendSoon = send
  showKept()
  window.addEventListener('storage', showKept)
  return () => {
    account = ''
    sendSoon = () => undefined
    showKept()
    window.removeEventListener('storage', showKept)
  }
}
export const keptAccount = (): string => account
let sendSoon = (): void => undefined

/** A new id is after all others, even if the clock was set back. */
function newId(): string {
  const last = storedChanges().at(-1)
  lastTime = Math.max(Date.now(), lastTime + 1, last ? Number.parseInt(last.id, 36) + 1 : 0)
  return `${lastTime.toString(36).padStart(9, '0')}-${randomKey()}`
}

/** @returns undefined: it is kept. @throws ApiProblem when it is refused, or the browser has no room for it */
export async function sendOrKeep<T>(path: string, body: object, about: KeptAbout): Promise<T | undefined> {
  const id = newId()
  let problem: unknown
  if (!isServerOffline() && waitingChanges().length === 0) {
    try {
      // The kept change has the same key: the request may have arrived although its answer was lost.
      return await api<T>(path, { body, headers: { 'idempotency-key': id }, timeoutMs: TIMEOUT_MS })
    } catch (error) {
      if (!isUnreached(error) || account === '') throw error
      problem = error
    }
  }
  try {
    store({ ...about, id, path, body: { ...body }, at: new Date().toISOString() })
  } catch (error) {
    throw problem ?? error
  }
  sendSoon()
}

/** @param more of its body */
export function sendAgain({ problem: _, ...change }: KeptChange, more: object = {}): void {
  store({ ...change, id: newId(), body: { ...change.body, ...more } })
  discardKept(change)
  sendSoon()
}

export const useKept = (): readonly KeptChange[] => useSyncExternalStore(listeners.add, () => shown)
export const useKeptOf = (subject: string | undefined): readonly KeptChange[] =>
  useKept().filter(change => change.subject === subject)
export const isWaiting = ({ problem }: KeptChange): boolean => problem === undefined

const isKeptOf = (subject: string): boolean => shown.some(change => change.subject === subject && isWaiting(change))
export const useHasWaiting = (subject: string): boolean => useSyncExternalStore(listeners.add, () => isKeptOf(subject))
