import { defineCommand } from '../api/command.ts'
import type { Command } from '../api/points.ts'
import type { BackupSource } from './backup.ts'

const FILE = { file: { description: 'The file, by convention with the ending .tar.gz.' } }

export const backupCommands = (source: () => BackupSource): Command[] => [
  verifyCommand,
  defineCommand({
    name: 'backup',
    summary: 'Save the database and its files into one file, while servers work',
    details: 'docs/backup-and-upgrade.md says how long the server waits for it, and how long PostgreSQL takes.',
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
    summary: 'Restore a backup into the data folder or the PostgreSQL database, which no server may use',
    details:
      'A backup of an older version is migrated: here, or by the next start. Of either kind of database, it is ' +
      'restored into either kind.',
    arguments: FILE,
    options: {
      replace: { type: 'boolean', description: 'Replace the database that is there: what only that one has is lost.' }
    },
    database: false,
    async run({ file, replace }, terminal) {
      const { restoreBackup, restoreIntoPostgres } = await import('./restore.ts')
      const { database, folders } = source()
      const { kind, dataDir } = database
      const path = terminal.path(file)
      if (dataDir === undefined && kind === 'embedded') throw new Error('A database in memory cannot be restored.')
      const { createdAt, version } =
        dataDir === undefined
          ? await restoreIntoPostgres(source(), path, replace)
          : await restoreBackup(path, { dataDir, folders, replace })
      const place = dataDir ?? 'the database of DATABASE_URL'
      terminal.print(`Restored the backup of ${createdAt}, of tracker ${version}, into ${place}.`)
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
