import type { Actor, Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { conflict, invalid, overloaded, preconditionFailed } from '../../../core/api/errors.ts'
import { conversions, type RichText, type TickedText, unknownName } from '../../../core/api/text.ts'
import { isClosed } from '../../workspace/contract.ts'
import type { Trx } from '../context.ts'
import type { Writer } from '../queries/write/writer.ts'
import { Diff, setState, writeChange, type DescriptionDetails } from './changes.ts'
import type { OtherHolder, StateChange, Ticks } from '../contract.ts'
import { evidenceIn, hasTicks, refOf } from '../criteria/criteria.ts'
import type { Field, ReferenceField } from '../fields/field.ts'
import { ownerOf, ownFields, referencesOf } from '../fields/fields.ts'
import { refuseParentCircle } from '../queries/read/circles.ts'
import { lockGraph } from '../queries/write/locks.ts'
import { emptyReferences, lookUp, type State, type TeamWithStates } from '../queries/read/lookup.ts'
import { assertNotOvertaken } from '../revisions/overtaken.ts'
import { descriptionMarkdownOf, lockIssue, lockDescription } from '../queries/write/write.ts'
import type { Patch } from '../schemas.ts'
import {
  assertMaySet,
  collectReferences,
  isGiven,
  isReplaced,
  isSettable,
  referenceIn,
  givenReference,
  stateOf,
  valueIn
} from './values.ts'

/** Ends a transaction: the stored description is not the one that was ticked, or on which the new one is based. */
export class Changed extends Error {
  readonly description: string
  constructor(description: string) {
    super('The description is not the one that was ticked.')
    this.description = description
  }
}

export const MAX_ATTEMPTS = 5

export async function teamWithStates(trx: Trx, principal: Actor, teamId: Id): Promise<TeamWithStates> {
  const references = emptyReferences()
  references.teams.set(teamId, null)
  return (await lookUp(trx, principal, references)).team(teamId)
}

interface PatchOptions extends Omit<DescriptionDetails, 'title'> {
  /** The new description, converted: that takes too long for a transaction. */
  text?: RichText | undefined
  ifRev?: number | undefined
  basedOn?: string | undefined
  /** Default: as the patch says. */
  takeover?: boolean
  where?: string
}

/**
 * Applies a patch, but for its description.
 * @returns who else works on the issue
 * @throws 400, 404, 409 or 412
 */
export async function patchIssue(
  writer: Writer,
  trx: Trx,
  principal: Actor,
  issueId: Id,
  patch: Patch,
  { text, ifRev, basedOn, where = '', takeover = patch.takeover ?? false, ...details }: PatchOptions = {}
): Promise<OtherHolder | undefined> {
  const { workspaceId } = principal
  const { ctx, fields } = writer
  const givenFields = fields.filter(field => isSettable(field, false) && isGiven(field, patch))
  assertMaySet(principal, givenFields, patch)
  const references = emptyReferences()
  collectReferences(references, givenFields, patch, where)
  const hasParent = givenReference(ownFields.parent, patch)?.value != null
  if (hasParent) await lockGraph(trx, workspaceId)
  const dropped = referencesOf(givenFields, fields).filter(field => !givenFields.includes(field))
  const issue = await lockIssue(trx, workspaceId, issueId, [...givenFields, ...ownersOf(givenFields), ...dropped])
  if (ifRev !== undefined && ifRev !== issue.rev) {
    throw preconditionFailed(
      `${issue.key} is at revision ${issue.rev}, not ${ifRev}: read it again, and repeat the change on what it ` +
        'says now.',
      { rev: issue.rev }
    )
  }
  const needsTeam = givenFields.includes(ownFields.state) || referencesOf(['team'], givenFields).length > 0
  if (needsTeam) references.teams.set(issue.team.id, null)
  const resolved = await lookUp(trx, principal, references)
  const team = needsTeam ? resolved.team(issue.team.id) : undefined
  if (hasParent) {
    const parent = referenceIn(ownFields.parent, patch, resolved, { team })
    if (parent) await refuseParentCircle(trx, workspaceId, issue.id, parent.id)
  }

  const diff = new Diff()
  const at = ctx.now()
  const title = String(valueIn(ownFields.title, patch) ?? issue.title)
  if (basedOn !== undefined && (await descriptionMarkdownOf(trx, workspaceId, issueId)) !== basedOn) {
    throw new Changed(basedOn)
  }
  if (text) await diff.setDescription(trx, workspaceId, issue, text, { title, ...details })
  for (const field of givenFields) diff.setField(field, issue, patch, resolved, { team, at, where })
  for (const field of dropped) {
    // Nothing of a team: a patch does not change it.
    const owner = ownerOf(field)?.field
    if (typeof owner === 'object' && owner.column in diff.columns) diff.clearReference(field, issue, at)
  }
  const { override = false, rev, protect } = patch
  const holder = await writeChange(writer, trx, principal, issueId, diff, { key: issue.key, override, takeover })
  if (rev !== undefined || protect) {
    // Last: the error that somebody works on the issue is more helpful.
    const fields = replacedFields(diff, givenFields, patch)
    await assertNotOvertaken(writer, trx, principal, issue, { fields, rev, protect })
  }
  return holder
}

/** The fields that refer to the owners of the records that these fields refer to. */
const ownersOf = (fields: readonly Field[]): ReferenceField[] =>
  fields.flatMap(field => {
    const owner = field.kind === 'reference' ? ownerOf(field)?.field : undefined
    return owner === undefined || owner === 'team' || fields.includes(owner) ? [] : [owner]
  })

/** By the names that the history gives them. */
const replacedFields = (diff: Diff, givenFields: readonly Field[], patch: Patch): string[] => [
  ...(diff.description?.isRewritten ? ['description'] : []),
  ...givenFields
    .filter(field => isReplaced(field, patch) && diff.changes.some(({ change }) => change === field.change))
    .map(({ change }) => change)
]

/**
 * @returns the state, and who else worked on the issue
 * @throws 400, 404; 409 when it is to be closed and is closed already
 */
export async function setStateOf(
  writer: Writer,
  trx: Trx,
  principal: Principal,
  issueId: Id,
  change: StateChange
): Promise<{ state: State; holder: OtherHolder | undefined }> {
  const issue = await lockIssue(trx, principal.workspaceId, issueId, [])
  const state = requestedState(await teamWithStates(trx, principal, issue.team.id), change)
  if (isClosed(issue.state.category) && isClosed(state.category)) {
    throw conflict(
      `${issue.key} is already closed (${issue.state.name}): nothing was changed. To say more, add a note without a ` +
        'state.',
      { state: issue.state }
    )
  }
  const diff = new Diff()
  setState(diff, issue, state, writer.ctx.now())
  const { override = false, takeover = false } = change
  const options = { key: issue.key, override, takeover }
  return { state, holder: await writeChange(writer, trx, principal, issueId, diff, options) }
}

/** @throws 400 that lists the states that there are */
function requestedState(team: TeamWithStates, { stateId, state, stateCategory }: StateChange): State {
  const givenState = stateId === undefined ? state : stateId
  const name = stateId === undefined ? 'state' : 'stateId'
  const categories = stateCategory === undefined ? undefined : [stateCategory].flat()
  const choices = categories?.flatMap(category => team.states.filter(state => state.category === category))
  const kind = categories?.length === 1 ? `category ${categories[0]}` : `categories ${categories?.join(', ')}`
  if (givenState === undefined) {
    if (choices?.[0]) return choices[0]
    throw conflict(`The team has no state of the ${kind}: an administrator can add one.`)
  }
  const match = stateOf(team, { value: givenState, name }, { choices })
  if (choices === undefined || choices.includes(match)) return match
  const names = choices.map(each => each.name)
  throw unknownName(`state of the ${kind}`, match.name, names, name)
}

export const changedByOthers = () =>
  overloaded(
    'The description is changed by others all the time: read it again, and change what is still to be changed.'
  )

interface TickSteps {
  before?(trx: Trx): Promise<void>
  write?(trx: Trx, details: { text?: RichText } & Omit<DescriptionDetails, 'title'>): Promise<OtherHolder | undefined>
}

/**
 * Ticks checklist items of the stored description and touches nothing else. What is too long for the event loop is
 * ticked between two transactions: no other request waits for it.
 * @returns who else works on the issue
 * @throws 400 that lists the items, 409, 503 when others go on changing the description
 */
export async function tickCriteria(
  writer: Writer,
  principal: Principal,
  issueId: Id,
  { met = [], unmet = [] }: Ticks,
  { before, write = (trx, details) => patchIssue(writer, trx, principal, issueId, {}, details) }: TickSteps = {}
): Promise<OtherHolder | undefined> {
  const { workspaceId } = principal
  const refs = met.map(refOf)
  let known: string | undefined
  let ticked: TickedText | undefined
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const changed = await writer.ctx
      .transaction(async trx => {
        await before?.(trx)
        const stored = await lockDescription(trx, workspaceId, issueId)
        if (stored === null && !hasTicks({ met, unmet })) return write(trx, {})
        if (stored === null) throw invalid('The issue has no checklist in its description.')
        const text = stored === known ? ticked : conversions.tickSmall(stored, refs, unmet)
        if (text === undefined) throw new Changed(stored)
        return write(trx, { text, stored, evidence: evidenceIn(met, text), ticked: new Set(text.metNumbers) })
      })
      .catch((error: unknown) => {
        if (error instanceof Changed) return error
        throw error
      })
    if (!(changed instanceof Changed)) return changed
    known = changed.description
    ticked = await conversions.tick(known, refs, unmet)
  }
  throw changedByOthers()
}
