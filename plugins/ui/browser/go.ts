import { useSearchParams } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

const metaOf = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="tracker-${name}"]`)?.content ?? ''

export const prefix = metaOf('prefix')

export const plugins = metaOf('plugins').split(' ')

export const go = (path: string): void => navigate(prefix + path)

/** Commands of all pages can open a dialog that the address names, such as `?new`. */
export function useOpenByAddress(name: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [params, setParams] = useSearchParams()
  function setOpen(isOpen: boolean): void {
    const change = (now: URLSearchParams) => {
      const next = new URLSearchParams(now)
      if (isOpen) next.set(name, '')
      else next.delete(name)
      return next
    }
    setParams(change, { replace: true })
  }
  return [params.has(name), setOpen]
}

export function goBack(otherwise: string): void {
  if ('navigation' in window && window.navigation.canGoBack) history.back()
  else go(otherwise)
}
