export const MASK = '[masked]'

const KEY_BEGIN = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/
const KEY_END = /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/
/** A private key up to its end, or to the end of the text. */
const KEY = new RegExp(`${KEY_BEGIN.source}.*?(?:${KEY_END.source}|$)`, 'gs')
/** A key whose end is missing. */
const OPEN_KEY = new RegExp(`${KEY_BEGIN.source}(?!.*${KEY_END.source})`, 's')
/** Lines after which a private key without an end counts as complete; one of RSA with 16,384 bits has some 200. */
const MAX_KEY_LINES = 500

/** A name before a secret: `password=…`, `"api_key": "…"`. */
const SECRET_NAME =
  /(?:authorization|x-api-key|api[_-]?key|secret(?:[_-]?access)?[_-]?key|access[_-]?token|password|passwd)/
const ASSIGNMENT = /["']?\s*[=:]\s*["']?/
const UNMASKED = /(?!Bearer\b|Basic\b|\[masked\])[^\s"',;]{6,}/

/** Published token formats for secret scanners, and positions of other secrets. */
const SHAPES: ReadonlyArray<[RegExp, string]> = [
  [/\btrk_[0-9A-Za-z]{16,}/g, MASK],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|pypi-|dop_v1_|shpat_)[0-9A-Za-z_-]{16,}/g, MASK],
  [/\b(?:sk|pk|rk)[-_][0-9A-Za-z_-]{16,}/g, MASK],
  [/\bxox[a-z]-[0-9A-Za-z-]{10,}/g, MASK],
  [/\b(?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{16}\b/g, MASK],
  [/\bAIza[0-9A-Za-z_-]{30,}/g, MASK],
  [/\beyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]*/g, MASK],
  [KEY, MASK],
  [/\b(Bearer|Basic)(\s+)[0-9A-Za-z._~+/=-]{8,}/gi, `$1$2${MASK}`],
  [new RegExp(`(${SECRET_NAME.source}${ASSIGNMENT.source})${UNMASKED.source}`, 'gi'), `$1${MASK}`],
  // The limit avoids quadratic time for `a.a.a.…`. The longest registered scheme has 36 characters.
  [/(\b[a-z][a-z0-9+.-]{0,40}:\/\/[^\s:/@]*:)[^\s/@]+@/gi, `$1${MASK}@`]
]
/** Shorter values ("1", "true", "main") are no secrets, and masking them would make the text unreadable. */
const MIN_SECRET_LENGTH = 6

/** @returns a function that masks the values, and everything that looks like a token */
export function makeMask(values: Iterable<string>): (text: string) => string {
  const secrets = [
    ...new Set([...values].flatMap(value => [value, ...value.split(/\r?\n/)]).map(value => value.trim()))
  ]
    .filter(value => value.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length) // a secret may contain another
  return text => {
    const withoutValues = secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
    return SHAPES.reduce((rest, [shape, replacement]) => rest.replace(shape, replacement), withoutValues)
  }
}

/** Like `mask`, by line: the first line of a private key becomes a mark, the others are dropped (undefined). */
export function makeLineMask(mask: (text: string) => string): (line: string) => string | undefined {
  let hidden = 0
  return line => {
    const rest = hidden > 0 ? line.slice(endOfKey(line)) : line
    if (hidden > 0 && rest === line) {
      hidden--
      return undefined
    }
    hidden = OPEN_KEY.test(rest) ? MAX_KEY_LINES : 0
    return mask(rest)
  }
}

/** The index after the rest of a private key whose beginning is missing; 0 when there is none. */
export function endOfKey(text: string): number {
  const end = KEY_END.exec(text)
  const begin = text.search(KEY_BEGIN)
  return end && (begin < 0 || begin > end.index) ? end.index + end[0].length : 0
}
