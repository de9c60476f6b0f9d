import { navigate } from 'wouter/use-browser-location'

/** The server's path prefix; often empty. */
export const prefix = document.querySelector<HTMLMetaElement>('meta[name="tracker-prefix"]')?.content ?? ''

export const go = (path: string): void => navigate(prefix + path)

/** Goes back to the previous page, or to an address if there is none. */
export function goBack(otherwise: string): void {
  if ('navigation' in window && window.navigation.canGoBack) history.back()
  else go(otherwise)
}
