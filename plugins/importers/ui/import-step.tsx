import { useState } from 'react'
import { Copyable, Labelled, Select, StartStep } from '../../ui/browser/contract.ts'

const SOURCES: Record<string, { name: string; example: string }> = {
  jira: { name: 'Jira', example: 'https://acme.example/browse/ENG' },
  github: { name: 'GitHub', example: 'https://github.com/OWNER/REPO' },
  linear: { name: 'Linear', example: 'export.csv' },
  beads: { name: 'beads', example: '.beads' },
  'backlog-md': { name: 'Backlog.md', example: 'backlog' },
  csv: { name: 'A CSV file', example: 'export.csv' },
  markdown: { name: 'A folder of markdown', example: 'tasks' }
}
const NAMES = Object.fromEntries(Object.entries(SOURCES).map(([source, { name }]) => [source, name]))

export default function ImportStep() {
  const [source, setSource] = useState('jira')
  return (
    <StartStep title="Import your issues">
      <p>From another tracker, with a command on the server:</p>
      <Labelled label="From">
        <Select label="From" names={NAMES} value={source} onChange={setSource} />
      </Labelled>
      <Copyable text={`npm run tracker -- import --from ${source} ${SOURCES[source]!.example}`} label="command" />
      <p>What comes, and how to repeat it: docs/importers.md</p>
    </StartStep>
  )
}
