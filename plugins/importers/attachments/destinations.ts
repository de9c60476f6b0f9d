import { image, link } from '../markdown.ts'
import { imageIn, partsOf, withEdits } from '../references.ts'

interface Destination {
  kind: 'target' | 'address' | 'image'
  url: string
  start: number
  end: number
}

/** Up to the target of an image, a link, or a definition. */
const BEFORE_TARGET = /^(?:!\[[^]*\]\(|\]\(|\[[^\]]*\]:)\s*/
const TARGET = /<([^<>\n]*)>|((?:[^\s()\\]|\\.|\([^\s()]*\))+)/y

function destinationsIn(markdown: string): Destination[] {
  return partsOf(markdown).flatMap(({ kind, start, end }): Destination[] => {
    const part = markdown.slice(start, end)
    if (kind === 'address') return [{ kind, url: part.replace(/^<(.*)>$/, '$1'), start, end }]
    if (kind === 'image') {
      const { source } = imageIn(part)
      return source === undefined ? [] : [{ kind, url: source, start, end }]
    }
    const before = kind === 'markup' ? BEFORE_TARGET.exec(part)?.[0].length : undefined
    if (before === undefined) return []
    TARGET.lastIndex = before
    const target = TARGET.exec(part)
    if (target === null) return []
    const url = (target[1] ?? target[2]!).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&')
    return [{ kind: 'target', url, start: start + before, end: start + before + target[0].length }]
  })
}

export const namedIn = (markdown: string): string[] => [...new Set(destinationsIn(markdown).map(({ url }) => url))]

/** @param addresses by the text's own */
export function withAddresses(markdown: string, addresses: ReadonlyMap<string, string>): string {
  const edits = destinationsIn(markdown).flatMap(({ kind, url, start, end }) => {
    const address = addresses.get(url)
    if (address === undefined) return []
    if (kind === 'target') return [{ start, end, text: address }]
    if (kind === 'address') return [{ start, end, text: link(labelOf(address), address) }]
    return [{ start, end, text: image(imageIn(markdown.slice(start, end)).alt, address) }]
  })
  return withEdits(markdown, edits)
}

const labelOf = (address: string): string =>
  decodeURIComponent(address.slice(address.lastIndexOf('/') + 1)).replaceAll(/[[\]\\]/g, '\\$&')
