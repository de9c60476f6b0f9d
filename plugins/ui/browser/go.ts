import { navigate } from 'wouter/use-browser-location'

/** The path below which the server is reached; often empty. */
export const prefix = document.querySelector<HTMLMetaElement>('meta[name="tracker-prefix"]')?.content ?? ''

/** Goes to an address of the interface. */
export const go = (path: string): void => navigate(prefix + path)
