import { criterionNumbers, tick } from '../criteria/criteria.ts'
import { invalidText, RichTextError } from '../limits.ts'
import { validate } from '../validate.ts'
import { storedText, type RichText } from './stored.ts'

/** Ticks to set in a stored text: items by number or text. */
export interface TickInput {
  json: string
  met: ReadonlyArray<number | string>
  unmet: ReadonlyArray<number | string>
}

export interface TickedText extends RichText {
  /** The numbers of the items in `met`, in its order. */
  metNumbers: number[]
}
/** @throws RichTextError that lists the items */
export function tickText({ json, met, unmet }: TickInput): TickedText {
  const read = validate(json)
  if (!('doc' in read)) throw invalidText('The description has no checklist that can be read: write it again.')
  const { doc } = read
  let ticked: typeof doc
  let metNumbers: number[]
  try {
    metNumbers = criterionNumbers(doc, met)
    const contradiction = criterionNumbers(doc, unmet).find(n => metNumbers.includes(n))
    if (contradiction !== undefined) {
      throw invalidText(`Criterion ${contradiction} is both met and unmet: send it as one of them.`)
    }
    ticked = tick(doc, met, unmet)
  } catch (error) {
    if (error instanceof RichTextError || !(error instanceof Error)) throw error
    throw invalidText(error.message)
  }
  return { ...storedText(ticked, ticked.attrs.source ?? undefined), metNumbers }
}
