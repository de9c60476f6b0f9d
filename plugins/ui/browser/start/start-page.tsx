import { Fragment, Suspense } from 'react'
import { Skeleton } from '../parts/bits.tsx'
import { Button } from '../parts/controls.tsx'
import { go } from '../go.ts'
import { lazyElement } from '../lazy.ts'
import { contributions, startSteps } from '../registry.ts'
import { useSession } from '../session/session.ts'
import { Lead } from '../settings/settings-parts.tsx'
import { PageFrame } from '../shell/page-frame.tsx'
import styles from './start.module.css'
import { endStart, useIsStart } from './use-start.ts'

export default function StartPage() {
  const accountId = useSession()?.account?.id ?? ''
  const canSkip = useIsStart() !== false
  function skip(): void {
    endStart(accountId)
    go('/')
  }
  return (
    <PageFrame title="Get started" actions={canSkip && <Button onClick={skip}>Skip</Button>}>
      <div className={styles['page']}>
        <Lead>The first steps, in any order. The search finds this page again: “Get started”.</Lead>
        <Suspense fallback={<Skeleton lines={8} />}>
          <ol className={styles['steps']}>
            {contributions(startSteps)
              .toSorted((a, b) => a.order - b.order)
              .map(({ load }, n) => (
                <Fragment key={n}>{lazyElement(load, {})}</Fragment>
              ))}
          </ol>
        </Suspense>
      </div>
    </PageFrame>
  )
}
