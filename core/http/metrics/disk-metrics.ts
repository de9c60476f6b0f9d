import { existsSync, statfsSync } from 'node:fs'
import { Gauge } from 'prom-client'
import { freeBytes } from '../../../lib/util/free-bytes.ts'
import { gauge } from './gauge.ts'

export interface DiskMetricsOptions {
  /** The folders of this process that are on disks. */
  folders: Readonly<Record<string, string>>
  backups: { newest(): Promise<Date | undefined>; everyHours(): number } | undefined
}

export function diskMetrics({ folders, backups }: DiskMetricsOptions): Gauge[] {
  const ofDisks = (name: string, help: string, bytesOf: (folder: string) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['folder'],
      registers: [],
      collect() {
        for (const [folder, path] of Object.entries(folders)) {
          if (existsSync(path)) this.set({ folder }, bytesOf(path))
        }
      }
    })
  return [
    ofDisks('tracker_disk_free_bytes', 'Free bytes of the disks with the embedded database and its backups', freeBytes),
    ofDisks('tracker_disk_size_bytes', 'Size of the disks with the embedded database and its backups', path => {
      const { blocks, bsize } = statfsSync(path)
      return blocks * bsize
    }),
    ...(backups === undefined ? [] : backupMetrics(backups))
  ]
}

const backupMetrics = ({ newest, everyHours }: NonNullable<DiskMetricsOptions['backups']>) => [
  gauge(
    'tracker_backup_newest_timestamp_seconds',
    'Unix time of the newest backup by schedule; 0 if there is none',
    async () => ((await newest())?.getTime() ?? 0) / 1000
  ),
  gauge('tracker_backup_interval_seconds', 'Time between two backups by schedule', () => everyHours() * 3600)
]
