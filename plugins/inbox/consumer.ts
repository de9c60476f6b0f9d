import type { Id } from '../../core/api/database/types.ts'
import type { LoggedEvent } from '../../core/api/events.ts'
import { foldLine } from '../../core/api/text.ts'
import type { NodeJson } from '../../lib/rich-text/index.ts'
import type { Ctx } from './context.ts'
import { inboxAdded, inboxRead, notificationSources, type Notifications, type Reason } from './contract.ts'
import { possibleNames } from './mentions.ts'
import {
  addEntries,
  addWatchers,
  findDescription,
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

interface Outcome {
  entries: NewEntry[]
  watchers: Array<{ issueId: Id; accountId: Id }>
  closedQuestions: Id[]
  removedSubjects: Id[]
}

/** Imports notify nobody. */
export async function fillInboxes(ctx: Ctx, events: readonly LoggedEvent[]): Promise<'nothing to do' | undefined> {
  const sources = Map.groupBy(ctx.contributions(notificationSources), ({ item }) => item.type)
  const own = events.filter(({ origin, type }) => origin !== 'import' && sources.has(type))
  for (const [workspaceId, ofWorkspace] of Map.groupBy(own, event => event.workspaceId)) {
    const outcome: Outcome = { entries: [], watchers: [], closedQuestions: [], removedSubjects: [] }
    const issueIds = [...new Set(ofWorkspace.map(issueOf))]
    let mentioning: Promise<ReadonlySet<Id>> | undefined
    const mayMention = () => (mentioning ??= listMentioning(ctx.db, workspaceId, issueIds))
    // Sequentially: an event may add watchers, who are notified of the next.
    for (const event of ofWorkspace) {
      const notifications = collecting(ctx, event, outcome, mayMention)
      for (const { item } of sources.get(event.type)!) await item.collect(event, notifications)
    }
    await store(ctx, workspaceId, outcome)
  }
  return own.length === 0 ? 'nothing to do' : undefined
}

const issueOf = ({ parentId, subject }: LoggedEvent): Id => parentId ?? subject.id

/** @param mayMention the issues of all events whose descriptions may mention somebody */
function collecting(
  ctx: Ctx,
  event: LoggedEvent,
  outcome: Outcome,
  mayMention: () => Promise<ReadonlySet<Id>>
): Notifications {
  const { workspaceId, subject, actor } = event
  const issueId = issueOf(event)
  const watch = (accountId: Id) => outcome.watchers.push({ issueId, accountId })
  function notify(reason: Reason, accountIds: Iterable<Id>, { always = false } = {}): void {
    for (const accountId of accountIds) {
      if (accountId === actor?.id && !always) continue
      const { type: subjectType, id: subjectId } = subject
      const at = new Date(event.at)
      outcome.entries.push({ accountId, reason, subjectType, subjectId, issueId, actorId: actor?.id ?? null, at })
    }
  }
  async function mention(document: NodeJson | undefined): Promise<void> {
    for (const accountId of document ? await mentionedIn(ctx, workspaceId, document) : []) {
      notify('mentioned', [accountId])
      watch(accountId)
    }
  }
  return {
    issueId,
    watch,
    notify,
    mention,
    async mentionInDescription() {
      if ((await mayMention()).has(issueId)) await mention(await findDescription(ctx.db, workspaceId, issueId))
    },
    async watcherIds() {
      const stored = await listWatchers(ctx.db, workspaceId, issueId)
      const added = outcome.watchers.filter(watcher => watcher.issueId === issueId).map(({ accountId }) => accountId)
      return new Set([...stored.map(({ id }) => id), ...added])
    },
    async peopleIds() {
      const watching = (await listWatchers(ctx.db, workspaceId, issueId)).filter(
        ({ id, kind }) => kind === 'PERSON' && id !== actor?.id
      )
      const people = watching.length > 0 ? watching : await listAdministrators(ctx.db, workspaceId)
      return people.map(({ id }) => id)
    },
    closeQuestion: () => outcome.closedQuestions.push(subject.id),
    removeSubject: () => outcome.removedSubjects.push(subject.id)
  }
}

async function mentionedIn({ db }: Ctx, workspaceId: Id, doc: NodeJson): Promise<Set<Id>> {
  const places = possibleNames(doc)
  if (places.length === 0) return new Set()
  const accounts = await listNamed(db, workspaceId, [...new Set(places.flat())])
  const named = Map.groupBy(
    accounts.flatMap(({ id, fullname, email }) => [fullname, email ?? ''].map(name => ({ id, name: foldLine(name) }))),
    ({ name }) => name
  )
  return new Set(
    places.flatMap(names => {
      const longest = names.map(foldLine).find(name => name !== '' && named.has(name))
      return longest === undefined ? [] : named.get(longest)!.map(({ id }) => id)
    })
  )
}

/** Stores the notifications of events, in one transaction; idempotent, because a batch may be repeated. */
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
