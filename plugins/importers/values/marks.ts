import type { Mark, OmittedIssue, SourceInput } from '../contract.ts'

const REASONS: Record<Mark, string> = {
  restricted: 'only some people may read them there; --include restricted takes them',
  archived: 'they are archived there; --include archived takes them'
}
/** The reason to leave out a marked record; undefined: it is imported. */
export const reasonToOmit = (mark: Mark | undefined, { include }: SourceInput): string | undefined =>
  mark === undefined || include.has(mark) ? undefined : REASONS[mark]

/** The issue as one to leave out, if it is marked. @param names its external id and its key */
export function omittedIssue(
  mark: Mark | undefined,
  names: ReadonlyArray<string | undefined>,
  where: string,
  input: SourceInput
): OmittedIssue | undefined {
  const reason = reasonToOmit(mark, input)
  return reason === undefined ? undefined : { where, omitted: names.filter(name => name !== undefined), reason }
}
