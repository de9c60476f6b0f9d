import { applyEdits, modify, parse, printParseErrorCode, type JSONPath, type ParseError } from 'jsonc-parser'

/** A JSON file with edits of single values: everything else, including comments, is unchanged. */
export interface JsonFile {
  at(path: JSONPath): unknown
  set(path: JSONPath, value: unknown): void
  text(): string
}

/** @throws Error with the position of a syntax error; blank text is an empty object */
export function jsonFile(original: string): JsonFile {
  let text = original.trim() === '' ? '{}\n' : original
  const errors: ParseError[] = []
  const read = () => parse(text, errors, { allowTrailingComma: true }) as unknown
  const root = read()
  const [error] = errors
  if (error) {
    const line = text.slice(0, error.offset).split('\n').length
    throw new Error(`is not valid JSON (${printParseErrorCode(error.error)} in line ${line})`)
  }
  if (!isObject(root)) throw new Error('is not a JSON object')

  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n'
  }
  return {
    at: path =>
      path.reduce<unknown>(
        (value, key) =>
          typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined,
        read()
      ),
    set(path, value) {
      text = applyEdits(text, modify(text, path, value, { formattingOptions }))
    },
    text: () => text
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
