import type { Caller } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { assertScope, readScope } from '../../core/api/scopes.ts'
import { textTokens } from '../../lib/words/tokens.ts'
import type { Ctx } from './context.ts'
import type { KnowledgeServices } from './contract.ts'
import { POOL } from './likeness/entry-index.ts'
import { contextCandidates, issueText, type Candidate } from './queries/entries.ts'
import { DEFAULT_BUDGET } from './schemas.ts'
import { servings } from './serving/servings.ts'

const MAX_SOLVED = 5
const MAX_FOUND = 200
/** Minimum common words of an entry without another relation to the task: one may be chance. */
const MIN_SHARED_WORDS = 2
/** Maximum words of a short question, for which one common word is enough. */
const MAX_SHORT_QUESTION_WORDS = 3
/** Maximum cosine distance of an entry without common words. */
const MAX_DISTANCE = 0.35

export function knowledgeServices(ctx: Ctx): KnowledgeServices {
  const { db, now, use } = ctx
  const { textIndex, solved } = use.search

  async function known(caller: Caller, issueId: Id | undefined, question: string | undefined): Promise<Candidate[]> {
    const { workspaceId } = caller
    const task = issueId === undefined ? undefined : await issueText(db, workspaceId, issueId)
    const text = { title: [question, task?.title].filter(Boolean).join('\n'), description: task?.description ?? '' }
    const hits = await textIndex.search(caller, db, POOL, text, MAX_FOUND)
    const candidates = await contextCandidates(db, workspaceId, { issueId: issueId ?? null, hits, now: now() })
    const near = new Set(hits.flatMap(({ id, distance }) => (distance !== null && distance <= MAX_DISTANCE ? id : [])))
    const isAbout = sharesWordsWith(`${text.title}\n${text.description}`)
    return candidates.filter(entry => isTied(entry) || near.has(entry.id) || isAbout(entry))
  }

  return {
    async context(caller, { issueRef, question, budget = DEFAULT_BUDGET }, served) {
      assertScope(caller, readScope)
      const issue = issueRef === undefined ? undefined : await use.issues.find(caller, db, issueRef)
      const [candidates, solvedIssues] = await Promise.all([
        known(caller, issue?.id, question),
        solved(caller, issue ? { issueId: issue.id } : { text: question ?? '' }, MAX_SOLVED)
      ])
      // Loads the tokenizer, whose vocabulary is large, only on servers that need it.
      const { packContext } = await import('./serving/task-context.ts')
      const context = packContext(candidates, solvedIssues, budget)
      await ctx.get(servings).record(
        caller,
        served && { ...served, issueId: issue?.id },
        context.entries.map(entry => entry.id)
      )
      return context
    }
  }
}

const isTied = ({ issue, parent, project, team, label }: Candidate): boolean =>
  issue || parent || project || team || label

function sharesWordsWith(text: string): (entry: Candidate) => boolean {
  const words = wordsOf(text)
  const minShared = words.size <= MAX_SHORT_QUESTION_WORDS ? 1 : MIN_SHARED_WORDS
  return ({ content, tags }) => wordsOf([content, ...tags].join('\n')).intersection(words).size >= minShared
}

const wordsOf = (text: string): Set<string> => new Set(textTokens(text).map(token => token.text))
