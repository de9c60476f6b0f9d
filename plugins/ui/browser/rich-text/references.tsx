import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { CARD_ATTRIBUTE, contributions, referenceSupport, type ReferenceSupport } from '../registry.ts'

/** Undefined: no plugin finds references. */
export const findReferenceSupport = (): ReferenceSupport | undefined => contributions(referenceSupport)[0]

export function TextWithReferences({ text }: { text: string }) {
  const support = findReferenceSupport()
  return support ? <Linked support={support} text={text} /> : text
}

function Linked({ support, text }: { support: ReferenceSupport; text: string }): ReactNode {
  useQuery(support.query)
  const references = support.find(useQueryClient())(text)
  if (references.length === 0) return text
  const ends = [0, ...references.map(({ to }) => to)]
  return (
    <>
      {references.map(({ from, to, href, card }, at) => (
        <Fragment key={from}>
          {text.slice(ends[at], from)}
          <Link href={href} {...{ [CARD_ATTRIBUTE]: card }}>
            {text.slice(from, to)}
          </Link>
        </Fragment>
      ))}
      {text.slice(ends.at(-1))}
    </>
  )
}
