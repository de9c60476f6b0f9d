import { remember } from './data/remember.ts'

const KEY = 'tracker.theme'
const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const current = (): Theme => THEMES.find(theme => theme === localStorage.getItem(KEY)) ?? 'system'

export function applyTheme(theme = current()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function setTheme(theme: Theme): Theme {
  remember(KEY, theme)
  applyTheme(theme)
  return theme
}
export function switchTheme(): Theme {
  const theme = current()
  const isDark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
  return setTheme(isDark ? 'light' : 'dark')
}
