import { invalid } from '../../../core/api/errors.ts'
import type { RichText } from '../../../core/api/text.ts'
import { EACH_UNSPACED } from '../../../lib/words/scripts.ts'

const MIN_READY_PROSE = 20
const MIN_WORDS = 2
const PLACEHOLDER = new RegExp(
  '\\b(?:todo|tb[adc]|fixme|wip|xxx|n/?a|none|nil|null|placeholder|description|' +
    '(?:see|as in|same as|as) (?:the )?(?:title|above)|to be (?:done|defined|determined|written))\\b',
  'gi'
)
const WORD = /[\p{L}\p{N}]+/gu

/** True if prose says more than the title, and is no placeholder. */
function isReal(prose: string, title: string): boolean {
  const titleWords = new Set(wordsOf(title))
  const words = wordsOf(prose.replaceAll(PLACEHOLDER, ''))
  return words.length >= MIN_WORDS && words.some(word => !titleWords.has(word))
}
/** In scripts without spaces each character counts as a word. */
const wordsOf = (text: string): string[] => text.replace(EACH_UNSPACED, ' $& ').toLowerCase().match(WORD) ?? []

/** True if the description, without headings and checklists, is sufficient to begin the issue. */
export const isDescribed = (text: RichText | undefined, title: string): boolean =>
  text !== undefined && text.prose.length >= MIN_READY_PROSE && isReal(text.prose, title)

/** @throws 400 when an issue has no real description or, unless it has a parent, no acceptance criterion */
export function requireDescription(text: RichText | undefined, title: string, hasParent: boolean, at: string): void {
  if (text === undefined || !isReal(text.prose, title)) {
    throw invalid(
      `body.${at}descriptionMarkdown is no real description: beside the title, headings and criteria, say what is ` +
        'wrong or wanted, and why.',
      { field: `${at}descriptionMarkdown` }
    )
  }
  if (!hasParent && text.criteria.total === 0) {
    throw invalid(
      `body.${at}acceptanceCriteria is missing: an issue without a parent needs acceptance criteria, here or as a ` +
        'checklist (- [ ] …) in its description.',
      { field: `${at}acceptanceCriteria` }
    )
  }
}
