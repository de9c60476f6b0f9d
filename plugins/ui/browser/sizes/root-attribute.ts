import { useLayoutEffect } from 'react'

const counts = new Map<string, number>()

/** For style sheets: with `:root:has(…)` browsers compute all styles again whenever an element is added. */
export function useRootAttribute(name: `data-${string}`, isOn: boolean): void {
  useLayoutEffect(() => {
    if (!isOn) return
    counts.set(name, (counts.get(name) ?? 0) + 1)
    document.documentElement.setAttribute(name, '')
    return () => {
      const count = counts.get(name)! - 1
      counts.set(name, count)
      if (count === 0) document.documentElement.removeAttribute(name)
    }
  }, [name, isOn])
}
