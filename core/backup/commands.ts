import { defineCommand } from '../api/command.ts'
import type { Command } from '../api/points.ts'
import type { BackupSource } from './backup.ts'

const FILE = { file: { description: 'The file, by convention with the ending .tar.gz.' } }

/** `backup`, `backup verify` and `restore`. @param source is read when a command runs */
export const backupCommands = (source: () => BackupSource): Command[] => [
  verifyCommand,
  defineCommand({
    name: 'backup',
    summary: 'Save the embedded database and its files into one file, while the server works',
    details: 'docs/backup-and-upgrade.md says how long the server waits for it, and how PostgreSQL is saved.',
    arguments: FILE,
    options: {
      verify: { type: 'boolean', description: 'Then restore it into a temporary folder, and compare everything.' }
    },
    database: 'existing',
    async run({ file, verify }, terminal) {
      const { makeBackup } = await import('./backup.ts')
      const path = terminal.path(file)
      const { files, pauseMs } = await makeBackup(source(), path, { countsRows: verify })
      terminal.print(`Saved the database and ${files} files beside it into ${path}. Requests waited for ${pauseMs} ms.`)
      if (verify) terminal.print(await verified(path))
    }
  }),
  defineCommand({
    name: 'restore',
    summary: 'Restore a backup into the data folder, of which no server may be running',
    details: 'A backup of an older version is restored as it is: the next start migrates it.',
    arguments: FILE,
    options: {
      replace: { type: 'boolean', description: 'Replace the database that is there: what only that one has is lost.' }
    },
    database: false,
    async run({ file, replace }, terminal) {
      const { database, folders } = source()
      const { dataDir } = database
      if (dataDir === undefined) {
        throw new Error(
          'A backup is restored into an embedded database: take DATABASE_URL out, or restore a dump with pg_restore.'
        )
      }
      const { restoreBackup } = await import('./restore.ts')
      const { createdAt, version } = await restoreBackup(terminal.path(file), { dataDir, folders, replace })
      terminal.print(`Restored the backup of ${createdAt}, of tracker ${version}, into ${dataDir}.`)
    }
  })
]

const verifyCommand = defineCommand({
  name: 'backup verify',
  summary: 'Restore a backup into a temporary folder beside it, read every row, and compare counts and digests',
  details: 'Exit code 1: it is damaged. It needs as much space as the data, for a moment.',
  arguments: FILE,
  database: false,
  async run({ file }, terminal) {
    terminal.print(await verified(terminal.path(file)))
  }
})

async function verified(path: string): Promise<string> {
  const { verifyBackup } = await import('./restore.ts')
  const { rows, files } = await verifyBackup(path)
  return `${path} is whole: ${rows} rows can be read, and ${files} files are as they were saved.`
}
