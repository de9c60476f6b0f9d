/*
 * Writes core/naming/look-alikes.txt: the part of Unicode's confusables (UTS #39) for names in NFKD. No maintained
 * package computes skeletons; the data is that of the development dependency `unhomoglyph` (Unicode 13).
 *     node scripts/look-alikes.ts
 */
import { readFile, writeFile } from 'node:fs/promises'

const root = new URL('..', import.meta.url)
const data = JSON.parse(await readFile(new URL('node_modules/unhomoglyph/data.json', root), 'utf8')) as Record<
  string,
  string
>
const hex = (text: string) => Array.from(text, each => each.codePointAt(0)!.toString(16).padStart(4, '0')).join(' ')
/** NFKD has no compatibility characters; white space and invisible characters are removed before. */
const isNeeded = (source: string) =>
  [...source].length === 1 && source.normalize('NFKD') === source && !/[\p{DI}\p{White_Space}\p{Cc}]/u.test(source)

const lines = Object.entries(data)
  .filter(([source]) => isNeeded(source))
  .map(([source, target]) => `${hex(source)};${hex(target.normalize('NFD'))}`)
const header = [
  '# From confusables.txt of UTS #39, Copyright (c) 1991-2020 Unicode, Inc., https://www.unicode.org/license.txt',
  '# Written by scripts/look-alikes.ts: a character; what it looks like.'
]
await writeFile(new URL('core/naming/look-alikes.txt', root), [...header, ...lines.sort(), ''].join('\n'))
