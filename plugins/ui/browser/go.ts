import { useSearchParams } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

const metaOf = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="tracker-${name}"]`)?.content ?? ''

export const prefix = metaOf('prefix')

export const plugins = metaOf('plugins').split(' ')

export const go = (path: string): void => navigate(prefix + path)

/** The state of a dialog that the address names, such as `?new`, so that commands of all pages can open it. */
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

/** Goes back to the previous page, or to an address if there is none. */
export function goBack(otherwise: string): void {
  if ('navigation' in window && window.navigation.canGoBack) history.back()
  else go(otherwise)
}
