import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { cleanLine } from './line.ts'

/* Names that look alike, by the skeletons of UTS #39, section 4. Skeletons are only compared, never shown. */

let loaded: ReadonlyMap<string, string> | undefined
/** The skeleton of each character; read on first use, because most processes never need it. */
const lookAlikes = (): ReadonlyMap<string, string> =>
  (loaded ??= new Map(
    readFileSync(new URL('./look-alikes.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => line.split(';').map(fromHex) as [string, string])
  ))
const fromHex = (codes: string) => String.fromCodePoint(...codes.split(' ').map(code => Number.parseInt(code, 16)))

const replaceLookAlikes = (text: string, characters = /./gsu): string =>
  text.replace(characters, character => lookAlikes().get(character) ?? character)
const skeleton = (text: string): string => replaceLookAlikes(text).normalize('NFD')
const NOT_ASCII = /[^\0-\x7F]/gu

const cached = new LRUCache<string, readonly string[]>({ max: 10_000, memoMethod: makeForms })

/**
 * Three forms of a name, without spaces and invisible characters: in lowercase; as displayed, where `I` is `l`; and in
 * lowercase of the Latin letters that it looks like, where a capital Cyrillic letter is a small Latin one. Two names
 * look alike when one of their forms, in the same place, is equal.
 */
export const nameForms = (name: string): readonly string[] => cached.memo(name)

function makeForms(name: string): readonly string[] {
  const visible = cleanLine(name)
    .normalize('NFKD')
    .replaceAll(/[\s\p{DI}]+/gu, '')
    .replace(/^@+(?=.)/, '')
  return [
    skeleton(visible.toLowerCase().normalize('NFKD')),
    skeleton(visible),
    skeleton(replaceLookAlikes(visible, NOT_ASCII).toLowerCase())
  ]
}

export const looksLike = (name: string, other: string): boolean => {
  const forms = nameForms(other)
  return nameForms(name).some((form, n) => form === forms[n])
}

/** Reserved words of REST, tools and the interface, in places where an account can be named. */
const WORDS = [
  ...['me', 'myself', 'none', 'null', 'undefined', 'nobody', 'no one', 'unassigned', 'Unknown (imported)'],
  ...['all', 'any', 'anyone', 'anybody', 'everyone', 'everybody', 'system', 'tracker']
]
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isReservedName = (name: string): boolean => UUID.test(name) || WORDS.some(word => looksLike(name, word))

/** `l`, `1` and `I` count as equal, in any case. */
const likeAdministrator = (name: string): string => nameForms(name)[2]!.replaceAll(/[il]/g, 'i')
export const isAdministratorsName = (name: string): boolean =>
  ['Administrator', 'Admin'].map(likeAdministrator).includes(likeAdministrator(name))
