import { addCriteria, parse, serialize } from '../../../../lib/rich-text/index.ts'

export const withCriteria = (text: string, criteria: readonly string[]): string =>
  criteria.length === 0 ? text : serialize(addCriteria(parse(text), criteria))
