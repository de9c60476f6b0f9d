import { answers, Closed, conflict, Ref, Type, type App } from 'tracker/api'
import type { Ctx } from './context.ts'
import { countVotes, insertVote } from './queries.ts'

const ofIssue = Closed({ issueId: Ref('The key or id of an issue.') })
const Votes = Closed({ votes: Type.Integer() })

export function votesRoutes(app: App, { db, settings, transaction, use: { issues } }: Ctx): void {
  const tags = ['votes']

  app.get(
    '/v1/votes',
    { schema: { tags, summary: 'How many votes an issue has', querystring: ofIssue, response: answers(200, Votes) } },
    async ({ principal, query }) => {
      const { id } = await issues.find(principal, db, query.issueId)
      return { votes: await countVotes(db, principal.workspaceId, id) }
    }
  )

  app.post(
    '/v1/votes',
    { schema: { tags, summary: 'Vote for an issue, once', querystring: ofIssue, response: answers(201, Votes) } },
    async ({ principal, query }, reply) => {
      const { workspaceId, accountId } = principal
      const { id: issueId } = await issues.find(principal, db, query.issueId)
      const votes = await transaction(async trx => {
        await issues.lock(principal, trx, [issueId])
        await insertVote(trx, { workspaceId, issueId, accountId })
        const votes = await countVotes(trx, workspaceId, issueId)
        if (votes > settings.maxPerIssue) throw conflict(`An issue has at most ${settings.maxPerIssue} votes.`)
        return votes
      })
      return reply.code(201).send({ votes })
    }
  )
}
