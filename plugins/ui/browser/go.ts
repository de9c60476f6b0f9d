import { navigate } from 'wouter/use-browser-location'

/** The path below which the server is reached; often empty. */
export const prefix = document.querySelector<HTMLMetaElement>('meta[name="tracker-prefix"]')?.content ?? ''

/** Goes to an address of the interface. */
export const go = (path: string): void => navigate(prefix + path)

/** Goes back to the page that was open before, or to an address if there was none. */
export function goBack(otherwise: string): void {
  if ('navigation' in window && window.navigation.canGoBack) history.back()
  else go(otherwise)
}
