import { checkAddress, checkDefinition, checkHtmlBlock, checkHtmlInline } from '../read/markdown-it.ts'
import { refuse, type Check } from '../read/refuse.ts'

/**
 * Checks of attributes that need markdown-it, by "type.attribute". For external JSON only: they are too slow for every
 * created node.
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
