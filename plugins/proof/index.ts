import { definePlugin } from '../../core/api/plugin.ts'
import { problems } from '../../core/api/points.ts'
import { fileTexts } from '../files/contract.ts'
import { completionProofs } from '../insights/contract.ts'
import { contextSections, issueChanges } from '../issues/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { evidenceList, isProven, textsOfEvidence } from './queries.ts'
import { criteriaKept, criteriaUnmet, evidenceRequired, ruleChanges } from './rules.ts'

export default definePlugin(dependencies, {
  summary: 'Proof: evidence that criteria are met, and the rules of teams for completing issues',
  tables: { issueTick: 'workspace' },
  migrations: { '001_proof': () => import('./migrations/001_proof.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url), core: true })
    ctx.contributeWith(issueChanges, ctx => [ruleChanges(ctx)])
    ctx.contribute(fileTexts, textsOfEvidence)
    ctx.contribute(completionProofs, isProven)
    ctx.contribute(contextSections, { name: 'evidence', list: evidenceList, isOfCriteria: true })
    for (const kind of [criteriaUnmet, criteriaKept, evidenceRequired]) ctx.contribute(problems, kind)
  }
})
