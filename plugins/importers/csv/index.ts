import type { ImportSource } from '../contract.ts'
import { tableSource } from './table.ts'

export const csv: ImportSource = tableSource({
  name: 'csv',
  summary: 'CSV: any table with a line of names; `columns` of the map says which are which',
  columns: {
    id: 'id',
    key: 'key',
    title: 'title',
    summary: 'title',
    name: 'title',
    description: 'description',
    body: 'description',
    status: 'state',
    state: 'state',
    priority: 'priority',
    assignee: 'assignee',
    author: 'author',
    reporter: 'author',
    creator: 'author',
    labels: 'labels',
    tags: 'labels',
    created: 'createdAt',
    'created at': 'createdAt',
    updated: 'updatedAt',
    'updated at': 'updatedAt',
    completed: 'completedAt',
    'due date': 'dueDate',
    due: 'dueDate',
    estimate: 'estimate',
    parent: 'parent',
    project: 'project',
    team: 'team',
    url: 'url'
  }
})
