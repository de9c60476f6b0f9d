import type { Principal } from '../../../core/api/contract.ts'
import { conversions, type RichText } from '../../../core/api/text.ts'
import type { IssueRef } from '../contract.ts'
import type { Writer } from '../queries/write/writer.ts'
import { assertKnown, descriptionConflict, tooOld, type Basis } from './overtaken.ts'
import { descriptionsSince } from './queries.ts'

/** Higher than each revision: without one, nothing is merged. */
const NO_REV = 2_147_483_647

interface RebasedText {
  text: RichText
  basedOn: string
  kept: string[]
}

/**
 * Merges a description with the changes since the revision that its writer read; without a revision, criteria with
 * unchanged text keep their ticks. Call it again when the stored one has changed by then.
 * @throws 412 when both changed the same lines, or the revision is no longer stored
 */
export async function rebase(
  { ctx }: Writer,
  { workspaceId }: Principal,
  { id, key }: IssueRef,
  text: RichText,
  { rev }: Basis
): Promise<RebasedText> {
  const stored = await descriptionsSince(ctx.db, workspaceId, id, rev ?? NO_REV)
  const issue = { key, rev: stored.rev }
  if (rev !== undefined) {
    assertKnown(issue, rev)
    if (stored.base === null) throw tooOld(issue, rev)
  }
  const base = rev === undefined ? undefined : stored.base!
  const rebased = await conversions.rebase({ mine: text.markdown, theirs: stored.markdown, base })
  if ('conflicts' in rebased) throw descriptionConflict(issue, rev!, rebased.conflicts)
  // Without merged changes, it stays as it was sent, also in its other form.
  const isSame = rebased.text.markdown === text.markdown
  return { text: isSame ? text : rebased.text, basedOn: stored.markdown, kept: rebased.kept }
}
