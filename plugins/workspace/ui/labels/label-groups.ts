/** `area/export` is in the group `area`, and is called `export` there; of others the group is empty. */
export function labelParts(name: string): { group: string; shortName: string } {
  const at = name.indexOf('/')
  const [group, rest] = [name.slice(0, Math.max(at, 0)).trim(), name.slice(at + 1).trim()]
  return group === '' || rest === '' ? { group: '', shortName: name } : { group, shortName: rest }
}

/** Labels without a group come first. */
export function byLabelGroup<L extends { name: string }>(labels: readonly L[]): Array<[group: string, labels: L[]]> {
  const groups = Map.groupBy(labels, ({ name }) => labelParts(name).group)
  return [...groups].toSorted(([a], [b]) => a.localeCompare(b))
}
