import { Type } from 'typebox'
import { abbreviate } from '../../../core/api/errors.ts'
import { ToolError } from '../../mcp/contract.ts'
import { parseRelation, RELATION_TYPES } from '../fields/relation.ts'

export const Relations = (description: string) =>
  Type.Optional(Type.Array(Type.String({ reads: 'relation' }), { description }))

const NONE = /^\s*none\s+(\S+)\s*$/i

/** @throws ToolError for a text that is none */
export const relationsOf = (texts: readonly string[]) =>
  texts.map(text => {
    const { type, issue: relatedIssueId } = parseRelation(text) ?? refuse(text)
    return relatedIssueId === undefined ? refuse(text) : { type, relatedIssueId }
  })

/** A type alone is any relation of it. @throws ToolError for a text that is none */
export const relationsToFind = (texts: readonly string[]) =>
  texts.map(text => {
    const { type, issue } = parseRelation(text) ?? refuse(text)
    return issue === undefined ? type : `${type} ${issue}`
  })

/** `none ENG-2`: no relation to it. @throws ToolError */
export function relationChanges(texts: readonly string[]) {
  const removed = texts.flatMap(text => NONE.exec(text)?.[1] ?? [])
  const added = relationsOf(texts.filter(text => !NONE.test(text)))
  return {
    ...(added.length > 0 && { addRelations: added }),
    ...(removed.length > 0 && { removeRelations: removed.map(relatedIssueId => ({ relatedIssueId })) })
  }
}

function refuse(text: string): never {
  throw new ToolError(
    `arguments.relations '${abbreviate(text)}' is no relation: send its type and a task, such as RELATED ENG-2; ` +
      `the types are: ${RELATION_TYPES.join(', ')}.`
  )
}
