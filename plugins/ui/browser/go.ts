import { navigate } from 'wouter/use-browser-location'

const metaOf = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="tracker-${name}"]`)?.content ?? ''

/** The server's path prefix; often empty. */
export const prefix = metaOf('prefix')

/** The plugins whose parts the interface has. */
export const plugins = metaOf('plugins').split(' ')

export const go = (path: string): void => navigate(prefix + path)

/** Goes back to the previous page, or to an address if there is none. */
export function goBack(otherwise: string): void {
  if ('navigation' in window && window.navigation.canGoBack) history.back()
  else go(otherwise)
}
