import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ErrorNote } from '../../../../ui/browser/contract.ts'
import type { Issue } from '../../contract.ts'
import { useIssueRequest } from '../../changes/send.ts'
import { contextQuery } from '../context-query.ts'
import { RELATION_NAMES } from '../timeline/words.ts'
import { AddRelation, RelationCommands } from './add-relation.tsx'
import { Group, Neighbour } from './neighbour.tsx'
import styles from './others.module.css'
import { SubIssues } from './sub-issues.tsx'

export function Others({ issue }: { issue: Issue }) {
  const { data: context } = useQuery(contextQuery(issue.key))
  const { mutate, error } = useIssueRequest()
  if (!context) return null
  const { parent, relations, linkedIssues } = context
  return (
    <section className={styles['others']} aria-label="Other issues">
      {parent && (
        <ul>
          <Neighbour
            name={parent.key}
            onRemove={() => mutate({ path: `/v1/issues/${issue.id}`, body: { parentId: null, rev: issue.rev } })}
          >
            Part of <Link href={`/issue/${parent.key}`}>{`${parent.key} ${parent.title}`}</Link>
          </Neighbour>
        </ul>
      )}
      <RelationCommands issue={issue} />
      <SubIssues issue={issue} context={context} />
      <Group title="Related" add="Add a relation" form={<AddRelation issue={issue} />}>
        {relations.length + linkedIssues.length > 0 && (
          <ul>
            {relations.map(({ id, type, issue: other }) => (
              <Neighbour
                key={id}
                name={other.key}
                category={other.stateCategory}
                onRemove={() => mutate({ path: `/v1/issue_relations/${id}`, method: 'DELETE' })}
              >
                {RELATION_NAMES[type] ?? type} <Link href={`/issue/${other.key}`}>{`${other.key} ${other.title}`}</Link>
              </Neighbour>
            ))}
            {linkedIssues.map(({ id, url, title }) => (
              <Neighbour
                key={id}
                name={title}
                onRemove={() => mutate({ path: `/v1/issues/${issue.id}/links/${id}`, method: 'DELETE' })}
              >
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {title}
                </a>
              </Neighbour>
            ))}
          </ul>
        )}
      </Group>
      {error && <ErrorNote error={error} />}
    </section>
  )
}
