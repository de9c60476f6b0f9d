import { problem, type Actor } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { forbidden } from '../../core/api/errors.ts'
import { conversions } from '../../core/api/text.ts'
import { textOfIssue, type CriterionItem, type DescriptionChange, type IssueChanges } from '../issues/contract.ts'
import { closingRank, type ClosingCriteria } from '../workspace/contract.ts'
import type { Ctx, Trx } from './context.ts'
import {
  closingRuleOf,
  closingRules,
  listUnproven,
  readTicks,
  removeTicks,
  writeTicks,
  type Unproven
} from './queries.ts'
import { keyedCriteria, keyOf, MAX_KEPT_CRITERIA, missingCriteria, nextTicks, type KeyedCriterion } from './ticks.ts'

/* A team's rule for criteria holds on every way into COMPLETED: issues call these, in the same transaction. */

export const criteriaUnmet = problem<{ unmet: string[]; unproven: string[] }>(409, 'CRITERIA_UNMET')
export const criteriaKept = problem<{ missing: string[] }>(409, 'CRITERIA_KEPT')
export const evidenceRequired = problem<{ unproven: string[] }>(409, 'EVIDENCE_REQUIRED')

const MAX_LISTED = 20
const isAgent = ({ kind, origin }: Actor): boolean => kind === 'AGENT' && origin !== 'import'
const authorOf = (ctx: Ctx, { accountId, tokenId }: Actor) => ({ accountId, tokenId, at: ctx.now() })
const quote = (texts: readonly string[]): string =>
  texts
    .slice(0, MAX_LISTED)
    .map(text => `"${text.slice(0, 200).toWellFormed()}"`)
    .join(', ')

/**
 * @returns the criteria of the old description, if they were read
 * @throws 409 when an agent's new description lacks one of them, and the team has a rule for criteria
 */
async function assertCriteriaKept(
  actor: Actor,
  trx: Trx,
  issueId: Id,
  items: readonly CriterionItem[],
  readFormer: () => Promise<string>
): Promise<readonly CriterionItem[] | undefined> {
  if (!isAgent(actor)) return undefined
  const { workspaceId } = actor
  if ((await closingRuleOf(trx, workspaceId, issueId)) === 'ANY') return undefined
  const before = await conversions.criteria(await readFormer())
  const missing = missingCriteria(before, items)
  if (missing.length === 0) return before
  throw criteriaKept(
    `The team of this issue lets no agent remove or reword a criterion; missing: ${quote(missing)}. Keep them as ` +
      'they are, and leave a note for a person if one is wrong.',
    { missing }
  )
}

/** @throws 409 when an agent creates ticked criteria under a team's rule */
async function keepFirstTicks(
  ctx: Ctx,
  trx: Trx,
  actor: Actor,
  issues: ReadonlyArray<{ issueId: Id; teamId: Id; items: readonly CriterionItem[] }>
): Promise<void> {
  const ticked = issues.filter(({ items }) => items.some(({ met }) => met))
  if (ticked.length === 0) return
  if (isAgent(actor)) {
    const rules = await closingRules(trx, actor.workspaceId)
    if (ticked.some(({ teamId }) => rules.has(teamId))) {
      throw criteriaKept(
        'The team takes no criteria from an agent that are ticked already: file them open ("- [ ] …"), and tick each ' +
          'when it is met.',
        { missing: [] }
      )
    }
  }
  const author = authorOf(ctx, actor)
  const none = { evidence: new Map<number, string>(), ticked: new Set<number>() }
  await writeTicks(
    trx,
    actor.workspaceId,
    ticked.map(({ issueId, items }) => ({ issueId, ticks: nextTicks([], { items, ...none }, author, () => false) }))
  )
}

/**
 * @throws 400 when evidence names a file that is not there, 409 when the team requires evidence for each tick of an
 * agent
 */
async function keepTicks(
  ctx: Ctx,
  trx: Trx,
  actor: Actor,
  issueId: Id,
  change: DescriptionChange,
  former: readonly CriterionItem[] | undefined
): Promise<void> {
  const { workspaceId } = actor
  const { metBefore } = change
  const evidence = [...change.evidence.values()]
  if (evidence.length > 0) await ctx.use.files?.assertThere(actor, trx, evidence.join('\n'))
  const before = metBefore === 0 ? [] : await readTicks(trx, workspaceId, issueId)
  // The authors of ticks are unknown for imports, and for ticks from while nothing was stored.
  const isKept = actor.origin !== 'import' && before.length >= Math.min(metBefore, MAX_KEPT_CRITERIA)
  const formerlyMet = former && new Set(keyedCriteria(former).flatMap(one => (one.met ? [keyOf(one)] : [])))
  const isUnknown = (criterion: KeyedCriterion) => !isKept && (formerlyMet?.has(keyOf(criterion)) ?? true)
  const after = nextTicks(before, change, authorOf(ctx, actor), isUnknown)
  if (before.length === 0 && after.length === 0) return
  if (isAgent(actor) && (await closingRuleOf(trx, workspaceId, issueId)) === 'PROVEN') {
    const knownKeys = new Set(before.map(keyOf))
    const unproven = after.filter(tick => tick.evidence === null && tick.byId !== null && !knownKeys.has(keyOf(tick)))
    if (unproven.length > 0) {
      throw evidenceRequired(
        `The team of this issue wants evidence of each criterion that an agent ticks: ` +
          `${quote(unproven.map(tick => tick.text))}. Send met: [{"criterion": ${unproven[0]!.n}, "evidence": "…"}].`,
        { unproven: unproven.map(tick => tick.text) }
      )
    }
  }
  await writeTicks(trx, workspaceId, [{ issueId, ticks: after }])
  const texts = evidence.map(markdown => textOfIssue(issueId, markdown))
  if (texts.length > 0) await ctx.use.texts.written(actor, trx, texts)
}

async function complaintAbout({ key, rule, total, descriptionMarkdown, unproven }: Unproven) {
  const items = await conversions.criteria(descriptionMarkdown)
  const unmet = items.filter(({ met }) => !met).map(({ text }) => text)
  const wants = rule === 'MET' ? 'every criterion met' : 'every criterion met, and evidence of what an agent ticked'
  const lacks = [
    ...(total === 0 ? ['it has no criteria'] : []),
    ...(unmet.length > 0 ? [`${unmet.length} of ${total} are not met: ${quote(unmet)}`] : []),
    ...(unproven.length > 0 ? [`without evidence: ${quote(unproven)}`] : []),
    ...(total > 0 && unmet.length === 0 && unproven.length === 0 ? [`${total} are too many to be proven`] : [])
  ]
  return {
    unmet,
    unproven,
    lacks,
    message: `${key} cannot be completed: its team wants ${wants}; ${lacks.join('; ')}.`
  }
}

/**
 * @param at only issues that were completed then; null: all
 * @returns the problem of one that is completed all the same, for its history
 * @throws 403 for the override of an agent, 409
 */
async function assertMayComplete(
  actor: Actor,
  trx: Trx,
  issueIds: readonly Id[],
  { at, override }: { at: Date | null; override: boolean }
): Promise<string | undefined> {
  if (actor.origin === 'import') return undefined
  if (override && actor.kind !== 'PERSON') {
    throw forbidden('Only a person may complete an issue against the rule of its team: leave override out.')
  }
  const [first] = await listUnproven(trx, actor.workspaceId, issueIds, at)
  if (first === undefined) return undefined
  const { unmet, unproven, lacks, message } = await complaintAbout(first)
  if (override) return lacks.join('; ')
  throw criteriaUnmet(`${message} Tick what is met, or ask a person, who may send override: true.`, { unmet, unproven })
}

async function whyNotCompleted(trx: Trx, workspaceId: Id, issueId: Id): Promise<string | undefined> {
  const [unproven] = await listUnproven(trx, workspaceId, [issueId], null)
  return unproven && (await complaintAbout(unproven)).message
}

const isStricter = (rule: ClosingCriteria, other: ClosingCriteria): boolean => closingRank(rule) > closingRank(other)

/** An agent cannot move an issue to a team with a weaker rule: a closed one could be reopened there. @throws 409 */
function assertNotEased(actor: Actor, key: string, from: ClosingCriteria, to: ClosingCriteria): void {
  if (!isAgent(actor) || !isStricter(from, to)) return
  throw criteriaKept(
    `The criteria of ${key} must be ${from} before it is completed, and the other team asks less: an agent ` +
      'cannot move it there. Ask a person.',
    { missing: [] }
  )
}

export const ruleChanges = (ctx: Ctx): IssueChanges => ({
  takesEvidence: true,
  filed: (caller, trx, issues) => keepFirstTicks(ctx, trx, caller, issues),
  async describe(caller, trx, issueId, change, readFormer) {
    const former = change.isRewritten
      ? await assertCriteriaKept(caller, trx, issueId, change.items, readFormer)
      : undefined
    return () => keepTicks(ctx, trx, caller, issueId, change, former)
  },
  complete: (caller, trx, issueIds, options) => assertMayComplete(caller, trx, issueIds, options),
  async move(caller, trx, { key, teamId }, toTeamId) {
    const rules = await closingRules(trx, caller.workspaceId)
    const [from, to] = [rules.get(teamId) ?? 'ANY', rules.get(toTeamId) ?? 'ANY']
    assertNotEased(caller, key, from, to)
    return isStricter(to, from)
  },
  async purged({ workspaceId }, trx, issueIds) {
    await removeTicks(trx, workspaceId, issueIds)
  },
  whyNotCompleted: ({ workspaceId }, trx, issueId) => whyNotCompleted(trx, workspaceId, issueId)
})
