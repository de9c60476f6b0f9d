import { useLayoutEffect, useRef } from 'react'
import { commands, contributions, pages, type UiCommand } from './registry.ts'
import { go } from './go.ts'

export const isMac = /Mac|iP/.test(navigator.platform)
/** Milliseconds within which the second key of a sequence must be pressed. */
const SEQUENCE_MS = 1000

/** Commands of the components that are displayed, the innermost last. */
const shown = new Set<{ current: readonly UiCommand[] }>()

/** Registers commands while a component is displayed. */
export function useCommands(list: readonly UiCommand[]): void {
  const latest = useRef(list)
  // In the commit itself, as below: a key acts on what is displayed when it is pressed.
  useLayoutEffect(() => {
    latest.current = list
  })
  useLayoutEffect(() => {
    shown.add(latest)
    return () => {
      shown.delete(latest)
    }
  }, [])
}

const places = (): UiCommand[] =>
  contributions(pages).flatMap(({ path, title, place }) =>
    place
      ? [
          {
            id: `go ${path}`,
            title: `Go to ${title}`,
            section: 'Go',
            keys: [place.keys],
            run: () => go(place.href ?? path)
          }
        ]
      : []
  )

/** All commands that are available now: of the page, of the parts, and of the side bar. */
export const allCommands = (): UiCommand[] => [
  ...[...shown].reverse().flatMap(({ current }) => current),
  ...contributions(commands),
  ...places()
]

/** The letter of a key: of one that writes another script, the letter that a Latin keyboard has there. */
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

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
/** Keys that a text field handles itself. */
const OF_FIELDS = new Set(['mod+z'])
const isInDialog = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('dialog,[role=dialog],[role=menu],[role=listbox]') !== null

/** Handles the keys of all commands. Those without `mod` do nothing in text fields and dialogs. */
export function useKeys(): void {
  useLayoutEffect(() => {
    let before = ''
    let timer = 0
    function hear(event: KeyboardEvent): void {
      const key = keyName(event)
      if (event.defaultPrevented || event.isComposing) return
      const isOfPage = !key.startsWith('mod+') || OF_FIELDS.has(key)
      if (isOfPage && (isWriting(event.target) || isInDialog(event.target))) return
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
      command.run()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('announcer')
  if (region) region.textContent = text
}
