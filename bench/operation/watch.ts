import { globSync, lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { statusMb } from '../../test/runner/status-mb.ts'

const EVERY_MS = 5_000
const MB = 1024 * 1024

/** Memory, disk usage and the number of issues at a minute of the run. */
interface Sample {
  minute: number
  /** The memory of each process in MB, by its id. */
  memoryMb: Record<string, number>
  /** MB of each watched folder or file. */
  diskMb: Record<string, number>
  issues: number
}

function sizeMb(path: string): number {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
  const files = isFolder ? globSync('**', { cwd: path }).map(file => join(path, file)) : [path]
  const bytes = files
    .map(file => lstatSync(file, { throwIfNoEntry: false }))
    .map(stat => (stat?.isFile() ? stat.size : 0))
  return bytes.reduce((sum, each) => sum + each, 0) / MB
}

/** Samples memory and disks until the signal. */
export async function watch(
  signal: AbortSignal,
  pids: () => Record<string, number>,
  paths: () => Record<string, string>,
  issues: () => number
): Promise<Sample[]> {
  const samples: Sample[] = []
  const started = performance.now()
  while (!signal.aborted) {
    const memoryMb: Record<string, number> = {}
    for (const [name, pid] of Object.entries(pids())) {
      const mb = await statusMb(pid, 'VmRSS').catch(() => NaN)
      if (!Number.isNaN(mb)) memoryMb[`${name} ${pid}`] = mb
    }
    const diskMb = Object.fromEntries(Object.entries(paths()).map(([name, path]) => [name, sizeMb(path)]))
    samples.push({ minute: (performance.now() - started) / 60_000, memoryMb, diskMb, issues: issues() })
    await sleep(EVERY_MS)
  }
  return samples
}

/** Each process with its memory in thirds of its life, and each folder at the quarters of the run. */
export function describe(samples: Sample[]): string[] {
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
  const processes = [...new Set(samples.flatMap(({ memoryMb }) => Object.keys(memoryMb)))]
  const memory = processes.map(name => {
    const values = samples.flatMap(({ memoryMb }) => memoryMb[name] ?? [])
    const third = Math.ceil(values.length / 3)
    const thirds = [0, 1, 2].map(n => middle(values.slice(n * third, (n + 1) * third)))
    const minutes = ((values.length * EVERY_MS) / 60_000).toFixed(0)
    return (
      `memory of replica ${name}, ${minutes} min: ${thirds.join(', ')} MB (medians of thirds), ` +
      `${Math.max(...values)} at most`
    )
  })
  const quarters = [0.25, 0.5, 0.75, 1].map(share => samples[Math.ceil(samples.length * share) - 1]!)
  const disks = Object.keys(samples[0]?.diskMb ?? {}).map(name => {
    const sizes = quarters.map(({ diskMb }) => (diskMb[name] ?? 0).toFixed(1))
    return `disk of ${name}: ${sizes.join(', ')} MB (quarters of the run)`
  })
  return [...memory, ...disks, `issues: ${quarters.map(each => each.issues).join(', ')}`]
}
