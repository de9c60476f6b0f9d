import { Suspense } from 'react'
import { contributions, lazyElement, ShownOnce, Skeleton } from '../../ui/browser/contract.ts'
import { connectGuides } from './contract.ts'

interface TokenShownProps {
  name: string
  token: string
  onClose: () => void
}
/** The token is displayed only once. */
export const TokenShown = ({ name, token, onClose }: TokenShownProps) => (
  <ShownOnce title={`The token of ${name}`} text={token} onClose={onClose}>
    {contributions(connectGuides).map(({ load }, at) => (
      <Suspense key={at} fallback={<Skeleton />}>
        {lazyElement(load, { token })}
      </Suspense>
    ))}
  </ShownOnce>
)
