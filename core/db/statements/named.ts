import { sql, type Expression, type RawBuilder } from 'kysely'
import { cleanLine } from '../../naming/line.ts'

/**
 * True if a name may be one of these, in any case and width. The database folds both sides, because its lowercase
 * differs from JavaScript's: for `İ`, and in the locale C for all letters that are not ASCII. So it may match a few
 * others, too: filter by `foldLine`.
 * @param texts as they were sent; earlier versions stored characters that `cleanLine` removes
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
