import { criteria, parse, serialize, tick } from '../../../../../lib/rich-text/index.ts'

export function unticked(markdown: string): string {
  const doc = parse(markdown)
  const met = criteria(doc).flatMap(({ n, met }) => (met ? [n] : []))
  return serialize(tick(doc, [], met))
}
