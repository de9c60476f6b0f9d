import type { LoggedEventOf } from '../../core/api/events.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { NodeJson } from '../../lib/rich-text/index.ts'
import {
  commentCreated,
  commentDeleted,
  commentUpdated,
  questionAnswered,
  questionAsked,
  questionWithdrawn
} from '../comments/contract.ts'
import { runFinished } from '../delegation/contract.ts'
import { claimLapsed, issueCreated, issueUpdated } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import { inboxAdded, inboxRead, type Reason } from './contract.ts'
import { AT_SIGNS, possibleNames } from './mentions.ts'
import {
  addEntries,
  addWatchers,
  findDescription,
  isClosedUnmet,
  listAdministrators,
  listMentioning,
  listNamed,
  listOwners,
  listWatchers,
  lockInboxes,
  markRead,
  removeOfSubjects,
  type NewEntry
} from './queries.ts'

/** A possible notification. */
export const followed = [
  issueCreated,
  issueUpdated,
  claimLapsed,
  commentCreated,
  commentUpdated,
  commentDeleted,
  questionAsked,
  questionAnswered,
  questionWithdrawn,
  runFinished
] as const
type Followed = LoggedEventOf<(typeof followed)[number]>

/** What follows from a batch of events of one workspace. */
interface Outcome {
  entries: NewEntry[]
  watchers: Array<{ issueId: Id; accountId: Id }>
  closedQuestions: Id[]
  removedSubjects: Id[]
}

/** Fills the inboxes. Imports notify no one. */
export async function fillInboxes(ctx: Ctx, events: readonly Followed[]): Promise<'nothing to do' | undefined> {
  const own = events.filter(({ origin }) => origin !== 'import')
  for (const [workspaceId, ofWorkspace] of Map.groupBy(own, event => event.workspaceId)) {
    const outcome: Outcome = { entries: [], watchers: [], closedQuestions: [], removedSubjects: [] }
    const describedIds = ofWorkspace.filter(isDescribed).map(issueIdOf)
    const mentioning = await listMentioning(ctx.db, workspaceId, describedIds)
    // One after the other: an event may add watchers, who are notified of the next.
    for (const event of ofWorkspace) await collect(ctx, event, mentioning, outcome)
    await store(ctx, workspaceId, outcome)
  }
  return own.length === 0 ? 'nothing to do' : undefined
}

const issueIdOf = ({ issueId, subject }: Followed): Id => issueId ?? subject.id

/** Whether an event gives its issue a description. */
const isDescribed = (event: Followed): boolean =>
  event.type === 'issue.created' ||
  (event.type === 'issue.updated' && event.data.changes.some(({ field }) => field === 'description'))

/** Collects what follows from one event. */
function collectorOf(ctx: Ctx, event: Followed, outcome: Outcome) {
  const { workspaceId, subject, actor } = event
  const issueId = issueIdOf(event)
  const watch = (accountId: Id) => outcome.watchers.push({ issueId, accountId })
  /** No one is notified of their own changes, unless `always`. */
  function notify(reason: Reason, accountIds: Iterable<Id>, { always = false } = {}): void {
    for (const accountId of accountIds) {
      if (accountId === actor?.id && !always) continue
      const { type: subjectType, id: subjectId } = subject
      const at = new Date(event.at)
      outcome.entries.push({ accountId, reason, subjectType, subjectId, issueId, actorId: actor?.id ?? null, at })
    }
  }
  return {
    issueId,
    watch,
    notify,
    async mention(doc: NodeJson | undefined): Promise<void> {
      for (const accountId of doc ? await mentionedIn(ctx, workspaceId, doc) : []) {
        notify('mentioned', [accountId])
        watch(accountId)
      }
    },
    async watcherIds(): Promise<Set<Id>> {
      const stored = await listWatchers(ctx.db, workspaceId, issueId)
      const added = outcome.watchers.filter(watcher => watcher.issueId === issueId).map(({ accountId }) => accountId)
      return new Set([...stored.map(({ id }) => id), ...added])
    }
  }
}

/** @param mentioning the issues whose descriptions may mention somebody */
async function collect(ctx: Ctx, event: Followed, mentioning: ReadonlySet<Id>, outcome: Outcome): Promise<void> {
  const { workspaceId, subject, actor } = event
  const { issueId, watch, notify, mention, watcherIds } = collectorOf(ctx, event, outcome)
  const described = async () =>
    isDescribed(event) && mentioning.has(issueId) ? await findDescription(ctx.db, workspaceId, issueId) : undefined
  switch (event.type) {
    case 'issue.created':
      if (event.data.assigneeId !== null) notify('assigned', [event.data.assigneeId])
      return mention(await described())
    case 'issue.updated': {
      const changed = new Map(
        event.data.changes.map(({ field, from, to }) => [field, { from: idIn(from), to: idIn(to) }])
      )
      const assigneeId = changed.get('assignee')?.to
      if (assigneeId !== undefined) notify('assigned', [assigneeId])
      const { from, to } = changed.get('state') ?? {}
      if (from !== undefined && to !== undefined && (await isClosedUnmet(ctx.db, workspaceId, issueId, { from, to }))) {
        notify('closed_unmet', await watcherIds())
      }
      return mention(await described())
    }
    case 'claim.lapsed':
      return notify('claim_lapsed', await watcherIds())
    case 'comment.created':
      if (actor) watch(actor.id)
      return mention(await bodyOf(ctx, workspaceId, subject.id))
    case 'comment.updated':
      return mention(await bodyOf(ctx, workspaceId, subject.id))
    case 'comment.deleted':
      outcome.removedSubjects.push(subject.id)
      return
    case 'question.asked': {
      const { to } = event.data
      const asked = to.length > 0 ? to.map(({ id }) => id) : await peopleFor(ctx, workspaceId, issueId, actor?.id)
      return notify('asked', asked)
    }
    case 'question.answered':
      outcome.closedQuestions.push(subject.id)
      return notify('answered', [event.data.askedById])
    case 'question.withdrawn':
      outcome.closedQuestions.push(subject.id)
      return
    case 'run.finished':
      if (event.data.status === 'FAILED') {
        notify('run_failed', new Set([...(await watcherIds()), event.data.requestedById]), { always: true })
      }
  }
}

/** The id in the value of a change, if it is a reference. */
const idIn = (value: unknown): Id | undefined =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? value.id : undefined

/** Recipients of a question without addressees: the people who watch its issue, or else the administrators. */
async function peopleFor({ db }: Ctx, workspaceId: Id, issueId: Id, askedById: Id | undefined): Promise<Id[]> {
  const watching = (await listWatchers(db, workspaceId, issueId)).filter(
    ({ id, kind }) => kind === 'PERSON' && id !== askedById
  )
  const people = watching.length > 0 ? watching : await listAdministrators(db, workspaceId)
  return people.map(({ id }) => id)
}

async function bodyOf({ db, use, asServer }: Ctx, workspaceId: Id, commentId: Id): Promise<NodeJson | undefined> {
  return use.comments?.body(asServer(workspaceId), db, commentId, { containing: AT_SIGNS })
}

/** The accounts that a document mentions, each once. */
async function mentionedIn({ db }: Ctx, workspaceId: Id, doc: NodeJson): Promise<Set<Id>> {
  const places = possibleNames(doc)
  if (places.length === 0) return new Set()
  const named = await listNamed(db, workspaceId, [...new Set(places.flat())])
  return new Set(
    places.flatMap(names => {
      const longest = names.find(name => named.some(account => account.name === name || account.email === name))
      return named.filter(({ name, email }) => name === longest || email === longest).map(({ id }) => id)
    })
  )
}

/** Stores the notifications of events, in one transaction; idempotent, because a batch may come again. */
async function store(ctx: Ctx, workspaceId: Id, outcome: Outcome): Promise<void> {
  const { watchers, closedQuestions, removedSubjects } = outcome
  // The last entry wins when several have the same subject and reason.
  const keyOf = ({ accountId, subjectId, reason }: NewEntry) => `${accountId} ${subjectId} ${reason}`
  const entries = [...new Map(outcome.entries.map(entry => [keyOf(entry), entry])).values()]
  const distinctWatchers = [...new Map(watchers.map(one => [`${one.issueId} ${one.accountId}`, one])).values()]
  if (entries.length + watchers.length + closedQuestions.length + removedSubjects.length === 0) return
  const caller = ctx.asServer(workspaceId)
  await ctx.transaction(async trx => {
    const owners = await listOwners(trx, workspaceId, [...closedQuestions, ...removedSubjects])
    const accountIds = [...entries, ...owners].map(({ accountId }) => accountId)
    await lockInboxes(trx, workspaceId, accountIds)
    await addWatchers(trx, workspaceId, distinctWatchers)
    const added = await addEntries(trx, workspaceId, entries)
    const read = await markRead(trx, workspaceId, { questionIds: closedQuestions }, { at: ctx.now() })
    await removeOfSubjects(trx, workspaceId, removedSubjects)
    if (added.length > 0) {
      const events = added.map(({ id, accountId, reason, issueId }) => ({
        subjectId: id,
        accountId,
        data: { reason, issueId }
      }))
      await ctx.emit(trx, inboxAdded, caller, events)
    }
    const counts = [...Map.groupBy(read, ({ accountId }) => accountId)]
    if (counts.length > 0) {
      const events = counts.map(([id, of]) => ({ subjectId: id, accountId: id, data: { count: of.length } }))
      await ctx.emit(trx, inboxRead, caller, events)
    }
  })
}
