import { criteria, parse, serialize, tick } from '../../../../../lib/rich-text/index.ts'

/** A text whose criteria are not met. */
export function unticked(markdown: string): string {
  let doc = parse(markdown)
  for (const { n, met } of criteria(doc)) if (met) doc = tick(doc, n, false)
  return serialize(doc)
}
