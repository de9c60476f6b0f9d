import { sql, type Expression, type RawBuilder } from 'kysely'
import { cleanLine } from '../../naming/line.ts'

/**
 * In any case and width. The database folds both sides, because its lowercase differs from JavaScript's (`İ`; in the
 * locale C all letters that are not ASCII), so it may match others, too: filter by `foldLine`.
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
