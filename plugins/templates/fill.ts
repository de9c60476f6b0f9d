import { Type } from 'typebox'
import { exactFirst, foldLine, unknownName } from '../../core/api/text.ts'
import { invalid } from '../../core/api/errors.ts'
import type { DraftSource } from '../issues/contract.ts'
import { listTemplates } from './queries/templates.ts'

/** The field `template` of a new issue. */
export const templateOfDraft: DraftSource = {
  name: 'template',
  schema: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'The name or UUID of a template of the team: its labels and criteria are added, its title, text and priority ' +
      'are those of the issue where they are left out. Without a team it is that of the template.'
  }),
  argument: 'Name: fills in the rest.',
  async fill({ workspaceId }, db, { ref, team, field }) {
    const all = await listTemplates(db, workspaceId)
    const folded = foldLine(ref)
    const ofTeam = team === undefined ? all : all.filter(row => isOf(row, team))
    const named = exactFirst(
      ofTeam.filter(({ name }) => foldLine(name) === folded),
      ref
    )
    const [found, ...others] = [...ofTeam.filter(({ id }) => id === folded), ...named]
    if (!found) {
      const names = ofTeam.map(({ name }) => name)
      throw unknownName('template', ref, names, field)
    }
    if (others.length > 0) {
      const teams = [found, ...others].map(({ identifier }) => identifier).join(', ')
      throw invalid(`More than one team has a template '${found.name}': name the team, one of ${teams}.`, { field })
    }
    const { teamId, title, descriptionMarkdown, labelIds, criteria, priority } = found
    return { teamId, title, descriptionMarkdown, labelIds, criteria, priority }
  }
}

const isOf = (row: { teamId: string; identifier: string; teamName: string }, team: string): boolean =>
  [row.teamId, row.identifier, row.teamName].some(name => foldLine(name) === foldLine(team))
