import { Type } from 'typebox'
import type { Id } from '../../core/api/database/types.ts'
import { exactFirst, foldLine, onlyMatch, unknownName } from '../../core/api/text.ts'
import { invalid } from '../../core/api/errors.ts'
import type { DraftRef, DraftSource } from '../issues/contract.ts'
import { readTemplates, templateNames, templatesCalled } from './queries/templates.ts'

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
  async fill({ workspaceId }, db, refs) {
    const templates = await templatesCalled(
      db,
      workspaceId,
      refs.map(({ ref }) => ref)
    )
    const ids: Id[] = []
    for (const ref of refs) {
      const template = templateOf(templates, ref)
      if (!template) {
        throw unknownName('template', ref.ref, await templateNames(db, workspaceId, ref.teamId), ref.field)
      }
      ids.push(template.id)
    }
    const texts = new Map((await readTemplates(db, workspaceId, [...new Set(ids)])).map(text => [text.id, text]))
    return ids.map((id, n) => {
      const text = texts.get(id)
      // Removed since.
      if (!text) throw unknownName('template', refs[n]!.ref, [], refs[n]!.field)
      return text
    })
  }
}

type Named = Awaited<ReturnType<typeof templatesCalled>>[number]

/** @throws 400 when there are several */
function templateOf(templates: readonly Named[], { ref, teamId, field }: DraftRef): Named | undefined {
  const ofTeam = teamId === undefined ? templates : templates.filter(template => template.teamId === teamId)
  const folded = foldLine(ref)
  const withId = ofTeam.find(({ id }) => id === folded)
  if (withId) return withId
  const named = ofTeam.filter(({ name }) => foldLine(name) === folded)
  const teams = new Set(named.map(({ identifier }) => identifier))
  if (teams.size > 1) {
    const list = [...teams].join(', ')
    throw invalid(`More than one team has a template '${named[0]!.name}': name the team, one of ${list}.`, { field })
  }
  return onlyMatch('template', exactFirst(named, ref), ({ id }) => id, field)
}
