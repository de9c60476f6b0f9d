import { existsSync, statfsSync } from 'node:fs'
import { Gauge } from 'prom-client'
import { freeBytes } from '../../../lib/util/free-bytes.ts'

export interface DiskMetricsOptions {
  /** The folders of this process that are on disks. */
  folders: Readonly<Record<string, string>>
  /** Backups by schedule; undefined: none are made. */
  backups: { newest(): Promise<Date | undefined>; everyHours(): number } | undefined
}

export function diskMetrics({ folders, backups }: DiskMetricsOptions): Gauge[] {
  const gauge = (name: string, help: string, bytesOf: (folder: string) => number) =>
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
    gauge('tracker_disk_free_bytes', 'Free bytes of the disks with the embedded database and its backups', freeBytes),
    gauge('tracker_disk_size_bytes', 'Size of the disks with the embedded database and its backups', path => {
      const { blocks, bsize } = statfsSync(path)
      return blocks * bsize
    }),
    ...(backups === undefined ? [] : backupMetrics(backups))
  ]
}

const backupMetrics = ({ newest, everyHours }: NonNullable<DiskMetricsOptions['backups']>) => [
  new Gauge({
    name: 'tracker_backup_newest_timestamp_seconds',
    help: 'Unix time of the newest backup by schedule; 0 if there is none',
    registers: [],
    async collect() {
      this.set(((await newest())?.getTime() ?? 0) / 1000)
    }
  }),
  new Gauge({
    name: 'tracker_backup_interval_seconds',
    help: 'Time between two backups by schedule',
    registers: [],
    collect() {
      this.set(everyHours() * 3600)
    }
  })
]
