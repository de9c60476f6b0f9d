import { sql, type Expression, type RawBuilder } from 'kysely'
import { cleanLine } from '../../naming/line.ts'

/**
 * Whether a name may be one of these, in any case and width. Both sides are folded by the database, whose small letters
 * are not those of JavaScript: of `İ`, and in the locale C of all letters that are not ASCII. So it may find a few
 * others, too: `foldLine` says which are meant.
 * @param texts as they were sent; earlier versions stored what `cleanLine` drops
 */
export function mayBeNamed(name: Expression<string | null>, texts: readonly string[]): RawBuilder<boolean> {
  const forms = [...new Set(texts.flatMap(formsOf))]
  return sql<boolean>`lower(normalize(${name}, NFKC)) in (
    select lower(normalize(sent.form, NFKC)) from unnest(${forms}::text[]) as sent (form))`
}

const ASCII = /^[\0-\x7f]*$/
const formsOf = (text: string): string[] =>
  ASCII.test(text)
    ? [text, text.trim()]
    : [text, cleanLine(text)].flatMap(form => [form, form.toLowerCase(), form.toUpperCase()])
