import type { Mark, OmittedIssue, SourceInput } from '../contract.ts'

const REASONS: Record<Mark, string> = {
  restricted: 'only some people may read them there; --include restricted takes them',
  archived: 'they are archived there; --include archived takes them'
}
/** Undefined: it is imported. */
export const reasonToOmit = (mark: Mark | undefined, { include }: SourceInput): string | undefined =>
  mark === undefined || include.has(mark) ? undefined : REASONS[mark]

/** Undefined: it is imported. @param names its external id and its key */
export function omittedIssue(
  mark: Mark | undefined,
  names: ReadonlyArray<string | undefined>,
  where: string,
  input: SourceInput
): OmittedIssue | undefined {
  const reason = reasonToOmit(mark, input)
  return reason === undefined ? undefined : { where, omitted: names.filter(name => name !== undefined), reason }
}
