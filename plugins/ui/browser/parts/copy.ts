import { announce } from '../keys.ts'

/**
 * Copies a text, and says so.
 * @param what its name, for the message: `The link`
 * @throws Error where the browser does not let the page copy
 */
export async function copyText(text: string, what: string): Promise<void> {
  // Without TLS a page may not write to the clipboard.
  if (!window.isSecureContext) throw new Error(`The browser copies only from pages with TLS. ${what}: ${text}`)
  await navigator.clipboard.writeText(text)
  announce(`${what} is copied`)
}
