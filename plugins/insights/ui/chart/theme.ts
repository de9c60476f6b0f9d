/** The present colour of a CSS variable: a canvas knows no variables. */
export function colourOf(element: HTMLElement, variable: string): string {
  element.style.color = `var(${variable})`
  const { color } = getComputedStyle(element)
  element.style.color = ''
  return color
}

/** Calls a listener when the colours change: by the system, by the menu of the account, for paper. @returns the end */
export function onThemeChange(listener: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', 'print'].map(query => window.matchMedia(query))
  for (const query of queries) query.addEventListener('change', listener)
  const chosen = new MutationObserver(listener)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    for (const query of queries) query.removeEventListener('change', listener)
    chosen.disconnect()
  }
}
