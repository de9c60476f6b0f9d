/**
 * A URL of PostgreSQL as pg reads it, which allows a user without a host; undefined when it is none, or when a part of
 * the password would be read as something else.
 */
export function readDatabaseUrl(url: string): URL | undefined {
  const parsed = URL.parse(url) ?? URL.parse(url.replace('@/', '@localhost/'))
  if (parsed === null || !isDecodable(url)) return undefined
  const { username, pathname, search, hash } = parsed
  // Behind the host only values of parameters have an @: this one ends a password that began as a port.
  return username === '' && /^[^=]*@/.test(pathname + search + hash) ? undefined : parsed
}

/** Whether what is percent-encoded is UTF-8; where a % begins no code, pg takes each for itself. */
function isDecodable(url: string): boolean {
  if (/ |%(?![\da-f]{2})/i.test(url)) return true
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

/** What to do about a URL that cannot be read; without the URL, which has the password. */
export const UNREADABLE_DATABASE_URL =
  'is not of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE; characters that have a meaning in a URL must be ' +
  'percent-encoded, most often in the password: # as %23, / as %2F, ? as %3F, @ as %40, : as %3A, % as %25'
