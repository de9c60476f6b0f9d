import { Link } from 'wouter'
import { forgetDraft } from '../editor/drafts.ts'
import { Empty, Time } from '../parts/bits.tsx'
import { useSession } from '../session/session.ts'
import { ConfirmButton, Lead, Line, Lines, LineText } from '../settings/settings-parts.tsx'
import { PageFrame } from '../shell/page-frame.tsx'
import { useOwnDrafts } from './draft-count.tsx'
import styles from './drafts.module.css'

const MAX_EXCERPT_LENGTH = 200

export default function Drafts() {
  const accountId = useSession()?.account?.id ?? ''
  const drafts = useOwnDrafts()
  return (
    <PageFrame title="Drafts">
      <div className={styles['page']}>
        {drafts.length === 0 ? (
          <Empty title="No drafts">A text that you begin and do not save is here for a month.</Empty>
        ) : (
          <Lead>These texts are not saved. They are in this browser only, for a month after the last change.</Lead>
        )}
        <Lines label="Drafts">
          {drafts.map(({ name, title, href, text, at }) => (
            <Line key={name}>
              <LineText title={<Link href={href}>{title}</Link>}>{text.slice(0, MAX_EXCERPT_LENGTH)}</LineText>
              <Time at={at} />
              <ConfirmButton
                label={`Discard the draft: ${title}`}
                word="Discard"
                warning="Its text is lost."
                onConfirm={() => forgetDraft(accountId, name)}
              />
            </Line>
          ))}
        </Lines>
      </div>
    </PageFrame>
  )
}
