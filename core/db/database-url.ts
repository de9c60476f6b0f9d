import { readFileSync } from 'node:fs'

/** Undefined: it is invalid, or a part of the password is parsed as something else. pg needs no host. */
export function readDatabaseUrl(url: string): URL | undefined {
  const parsed = URL.parse(url) ?? URL.parse(url.replace('@/', '@localhost/'))
  if (parsed === null || !isDecodable(url)) return undefined
  const { username, pathname, search, hash } = parsed
  // After the host, only values of parameters have an @: this one ends a password that looked like a port.
  return username === '' && /^[^=]*@/.test(pathname + search + hash) ? undefined : parsed
}

/** True if the percent-encoded text is UTF-8; pg takes an invalid % literally. */
function isDecodable(url: string): boolean {
  if (/ |%(?![\da-f]{2})/i.test(url)) return true
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

const UNREADABLE_DATABASE_URL =
  'is not of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE; characters that have a meaning in a URL must be ' +
  'percent-encoded, most often in the password: # as %23, / as %2F, ? as %3F, @ as %40, : as %3A, % as %25'

/** The user and the password may have commas. */
function namesSeveralHosts(url: string): boolean {
  const [, authority = ''] = /^\w+:\/\/([^/?#]*)/.exec(url) ?? []
  return authority.slice(authority.lastIndexOf('@') + 1).includes(',') || /[?&]host=[^&#]*(?:,|%2c)/i.test(url)
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const CERTIFICATE_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const
/** libpq's name for the system's certificate authorities; here, those of Node. */
const SYSTEM = 'system'

/** The end of a sentence, without the URL, which has the password. */
export function problemOfDatabaseUrl(url: string): string | undefined {
  if (namesSeveralHosts(url)) {
    return (
      'names several hosts, and connections go to one: name the address that leads to the primary, such as that of ' +
      'a proxy, a virtual IP address or a DNS name that follows it'
    )
  }
  const parsed = readDatabaseUrl(url)
  if (parsed === undefined) return UNREADABLE_DATABASE_URL
  const { searchParams } = parsed
  const mode = searchParams.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode)) return `has an sslmode that is none of: ${SSL_MODES.join(', ')}`
  if (['standby', 'read-only', 'prefer-standby'].includes(searchParams.get('target_session_attrs') ?? '')) {
    return 'asks for a standby by target_session_attrs, which takes no writes: leave it out, and name the primary'
  }
  const rootCertificate = searchParams.get('sslrootcert')
  if (mode === 'verify-ca' && (rootCertificate === null || rootCertificate === SYSTEM)) {
    return 'has sslmode=verify-ca without the certificate of an authority: add sslrootcert=FILE, or use verify-full'
  }
  return problemOfFiles(searchParams)
}

function problemOfFiles(searchParams: URLSearchParams): string | undefined {
  for (const name of CERTIFICATE_FILES) {
    const file = searchParams.get(name)
    if (file === null || (name === 'sslrootcert' && file === SYSTEM)) continue
    try {
      readFileSync(file)
    } catch (error) {
      return `names a file as ${name} that cannot be read: ${(error as Error).message}`
    }
  }
  return undefined
}

/**
 * The driver takes `prefer` and `require` for `verify-full`, warns that a later version will verify nothing, and knows
 * `verify-ca` only in libpq's mode.
 * @param url a valid one
 */
export function driverUrl(url: string): string {
  if (!/[?&]ssl(?:mode|rootcert)=/.test(url)) return url
  const mode = /([?&]sslmode=)(?:prefer|require)(?=&|$)/
  return url
    .replace(/([?&]sslmode=)verify-ca(?=&|$)/, '$1verify-ca&uselibpqcompat=true')
    .replace(mode, '$1verify-full')
    .replace(/([?&])sslrootcert=system(?=&|$)/, /[?&]sslmode=/.test(url) ? '$1' : '$1sslmode=verify-full')
}
