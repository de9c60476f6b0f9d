import { checkAddress, checkDefinition, checkHtmlBlock, checkHtmlInline } from '../read/markdown-it.ts'
import { refuse, type Check } from '../read/refuse.ts'

/**
 * The checks of attributes that need markdown-it, by "type.attribute". They are for JSON from outside; for every node
 * that is created they would take too long.
 */
export const markdownChecks: Record<string, Check> = {
  'html_block.html': checkedBy(checkHtmlBlock),
  'html_inline.html': checkedBy(checkHtmlInline),
  'link_definition.markdown': checkedBy(checkDefinition),
  'image.src': checkedBy(checkAddress),
  'link.href': checkedBy(checkAddress)
}

function checkedBy(check: (text: string) => string | null): Check {
  return value => {
    const expected = typeof value === 'string' ? check(value) : 'a string'
    if (expected) refuse(expected, value)
  }
}
