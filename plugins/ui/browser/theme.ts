const KEY = 'tracker.theme'
const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const current = (): Theme => THEMES.find(theme => theme === localStorage.getItem(KEY)) ?? 'system'

/** Applies the chosen colours, or the system's. */
export function applyTheme(): void {
  const theme = current()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Switches to the next theme: system, light, dark. @returns it */
export function switchTheme(): Theme {
  const next = THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length]!
  localStorage.setItem(KEY, next)
  applyTheme()
  return next
}
