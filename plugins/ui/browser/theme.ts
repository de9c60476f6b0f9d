const KEY = 'tracker.theme'
const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const current = (): Theme => THEMES.find(theme => theme === localStorage.getItem(KEY)) ?? 'system'

/** Applies the chosen colours; without a choice, those of the system. */
export function applyTheme(): void {
  const theme = current()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Switches to the next of: as the system, light, dark. @returns the new one */
export function switchTheme(): Theme {
  const next = THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length]!
  localStorage.setItem(KEY, next)
  applyTheme()
  return next
}
