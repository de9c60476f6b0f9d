import { useLayoutEffect, useRef, type KeyboardEvent as ReactKeyboardEvent } from 'react'
import { Listeners } from './data/listeners.ts'
import { commands, contributions, pages, settingsTabs, type UiCommand } from './registry.ts'
import { go } from './go.ts'
import { rowCommands } from './rows/row-keys.ts'

export const isMac = /Mac|iP/.test(navigator.platform)
const SEQUENCE_MS = 1000

/** Commands of the displayed components, the innermost last. */
const shown = new Set<{ current: readonly UiCommand[] }>()
const shownListeners = new Listeners()
/** @returns a function that removes the listener */
export const onShownCommands = shownListeners.add

export function useCommands(list: readonly UiCommand[]): void {
  const latest = useRef(list)
  // In the commit phase: keys act on the displayed components.
  useLayoutEffect(() => {
    latest.current = list
  })
  useLayoutEffect(() => {
    shown.add(latest)
    shownListeners.call()
    return () => {
      shown.delete(latest)
    }
  }, [])
}

const places = (): UiCommand[] =>
  contributions(pages).flatMap(({ path, title, words = '', place }) =>
    place
      ? [
          {
            id: `go ${path}`,
            title: `Go to ${title}`,
            words,
            section: 'Go',
            keys: [place.keys],
            run: () => go(place.href ?? path)
          }
        ]
      : []
  )

const settings = (): UiCommand[] =>
  contributions(settingsTabs)
    .toSorted((a, b) => a.order - b.order)
    .map(({ path, title, words = '' }) => ({
      id: `settings ${path}`,
      title: `Settings: ${title}`,
      words,
      section: 'Settings',
      run: () => go(`/settings/${path}`)
    }))

export function allCommands(): UiCommand[] {
  const ofPage = [...shown]
    .reverse()
    .flatMap(({ current }) => current)
    .filter(({ isAvailable }) => isAvailable?.() ?? true)
  const hasRows = ofPage.some(({ keys }) => keys?.includes('j'))
  return [...ofPage, ...contributions(commands), ...places(), ...(hasRows ? [] : rowCommands), ...settings()]
}

/** On keyboards of other scripts, the letter of a Latin keyboard. */
function letterOf({ key, code }: KeyboardEvent): string {
  const isOtherScript = key.length === 1 && key > '\u007f'
  return isOtherScript && code.startsWith('Key') ? code.slice(3) : key
}

/** The pressed key in the notation of commands: `mod+k`, `shift+arrowright`, `j`, `?`. */
function keyName(event: KeyboardEvent): string {
  const { altKey, ctrlKey, metaKey, shiftKey } = event
  const key = letterOf(event)
  const [isMod, isOther] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  const isShift = shiftKey && (key.length > 1 || /[a-z]/i.test(key))
  const modifiers = [isMod && 'mod', isOther && 'other', altKey && 'alt', isShift && 'shift']
  return [...modifiers, key.toLowerCase()].filter(Boolean).join('+')
}

const WITHOUT_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'])
const isTextField = (element: HTMLElement): boolean =>
  element instanceof HTMLInputElement
    ? !WITHOUT_TEXT.has(element.type)
    : element instanceof HTMLTextAreaElement || element.isContentEditable || element.matches('[role=textbox]')
const DIALOGS = 'dialog, [role=dialog], [role=menu], [role=listbox]'
const WITH_ARROWS = 'input[type=radio], input[type=range]'

/** True while a modal dialog is open: a clicked button that vanishes inside it leaves the focus to the page. */
const isInModal = () => document.querySelector('dialog:modal') !== null

const OF_TEXT = new Set(['mod+a', 'mod+z'])

/** In text fields and dialogs all keys but those with `mod`, and Ctrl A and Z. */
function belongsTo(target: EventTarget | null, key: string): boolean {
  const element = target instanceof HTMLElement ? target : document.body
  if (isTextField(element) || element.closest(DIALOGS) || isInModal()) {
    return !key.startsWith('mod+') || OF_TEXT.has(key)
  }
  return key.startsWith('arrow') && element.matches(WITH_ARROWS)
}

/** Safari has ended the composition when it reports the final Enter: only the key code shows it. */
export const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229

/** The library of the editor handles them itself. */
export function keepComposition(): void {
  const keep = (event: KeyboardEvent) => {
    const isInEditor = event.target instanceof HTMLElement && event.target.isContentEditable
    if (isComposing(event) && !isInEditor) event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', keep, { capture: true })
}

export function useKeys(): void {
  useLayoutEffect(() => {
    let before = ''
    let timer = 0
    function handleKey(event: KeyboardEvent): void {
      const key = keyName(event)
      if (event.defaultPrevented || isComposing(event) || belongsTo(event.target, key)) return
      const known = allCommands()
      const find = (keys: string) => known.find(command => command.keys?.includes(keys))
      const command = (before === '' ? undefined : find(`${before} ${key}`)) ?? find(key)
      clearTimeout(timer)
      before = known.some(({ keys }) => keys?.some(each => each.startsWith(`${key} `))) ? key : ''
      timer = window.setTimeout(() => {
        before = ''
      }, SEQUENCE_MS)
      if (!command) return
      event.preventDefault()
      if (event.repeat && command.isOnce) return
      command.run()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
}

const stepsOf = (forward: string, back: string): Record<string, (at: number, length: number) => number> => ({
  [forward]: (at, length) => (at + 1) % length,
  [back]: (at, length) => (at - 1 + length) % length,
  Home: () => 0,
  End: (_at, length) => length - 1
})
const STEPS = { row: stepsOf('ArrowRight', 'ArrowLeft'), column: stepsOf('ArrowDown', 'ArrowUp') }

export function moveFocus(event: ReactKeyboardEvent, elements: readonly HTMLElement[], layout: 'row' | 'column'): void {
  const step = STEPS[layout][event.key]
  if (!step) return
  event.preventDefault()
  elements[step(elements.indexOf(event.target as HTMLElement), elements.length)]?.focus()
}

/** Shift and an arrow key move a row of a list up or down, but not in its fields, dialogs and popovers. */
export function moveByKeys(event: ReactKeyboardEvent, move: (by: 1 | -1) => void): void {
  const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key]
  // Within the row: the whole list may be in a dialog.
  const isAbove = event.currentTarget.contains((event.target as Element).closest('input, dialog, [popover]'))
  if (!event.shiftKey || by === undefined || isAbove) return
  event.preventDefault()
  move(by)
}
export const MOVING_KEYS = 'Shift+ArrowUp Shift+ArrowDown'

export function announce(text: string): void {
  const region = document.getElementById('announcer')
  if (region) region.textContent = text
}
