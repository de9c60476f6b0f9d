/** Outlines of 16 by 16, by name; an unknown name is a dot. */
const PATHS: Record<string, string> = {
  board: 'M2.5 3h3v10h-3zM6.5 3h3v6h-3zM10.5 3h3v8h-3z',
  list: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h7',
  inbox: 'M2.500 9l2-6h7l2 6v4h-11zM2.500 9h3l1 2h3l1-2h3',
  book:
    'M8 4.2C6.8 3.3 5 3 2.5 3v9c2.5 0 4.3.3 5.5 1.2' +
    'M8 4.2C9.200 3.300 11 3 13.500 3v9c-2.500 0-4.300.300-5.500 1.200M8 4.200v9',
  run: 'M5 3.500v9l7.500-4.500z',
  agent: 'M3.500 5.500h9v7h-9zM8 5.500V3M6.300 8.500v1M9.700 8.500v1M1.500 8v2.500M14.500 8v2.500',
  settings: 'M2.500 4.500h6m3 0h2M10 3v3M2.500 11.500h2m3 0h6M6 10v3M2.500 8h8m2 0h1M12 6.500v3',
  filter: 'M2.500 4.500h11M4.500 8h7M6.500 11.500h3',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.500 10.500l3 3',
  plus: 'M8 3v10M3 8h10',
  help:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z' +
    'M6.300 6.200a1.800 1.800 0 1 1 2.500 1.900c-.600.300-.800.600-.800 1.200M8 11.300v.100',
  copy: 'M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1',
  bold: 'M5 3h3.500a2.500 2.500 0 0 1 0 5H5zM5 8h4.200a2.500 2.500 0 0 1 0 5H5z',
  italic: 'M7 3h4M5 13h4M9 3 7 13',
  strike:
    'M2.500 8h11M11 4.800C10.500 3.600 9.400 3 8 3 6.300 3 5.200 3.900 5.200 5.200' +
    'M5 10.800C5.400 12.200 6.500 13 8 13c1.800 0 3-.900 3-2.300',
  link:
    'M7 9a2.600 2.600 0 0 0 3.700 0l2-2A2.600 2.600 0 0 0 9 3.300l-.800.800' +
    'M9 7a2.600 2.600 0 0 0-3.700 0l-2 2A2.600 2.600 0 0 0 7 12.700l.800-.800',
  grip: 'M6 4v.100M10 4v.100M6 8v.100M10 8v.100M6 12v.100M10 12v.100',
  bullets: 'M6 4h8M6 8h8M6 12h8M2.500 4v.100M2.500 8v.100M2.500 12v.100',
  quote: 'M3 3.500v9M6 5h7M6 8h7M6 11h4',
  'row-above': 'M3 9h10v4H3zM8 2v4M6 4h4',
  'row-below': 'M3 3h10v4H3zM8 10v4M6 12h4',
  'row-remove': 'M3 3h10v4H3zM6 10l4 4M10 10l-4 4',
  'column-before': 'M9 3h4v10H9zM2 8h4M4 6v4',
  'column-after': 'M3 3h4v10H3zM10 8h4M12 6v4',
  'column-remove': 'M3 3h4v10H3zM10 6l4 4M14 6l-4 4',
  'align-left': 'M2.500 4h11M2.500 8h6M2.500 12h9',
  'align-center': 'M2.500 4h11M5 8h6M3.500 12h9',
  'align-right': 'M2.500 4h11M7.500 8h6M4.500 12h9',
  code: 'M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500',
  edit: 'M3 13l.600-2.600 7.300-7.300 2 2-7.300 7.300z',
  check: 'M3 8.500l3.200 3.200L13 5',
  comment: 'M3 3.500h10v7H7.500L5 13v-2.500H3z',
  close: 'M4 4l8 8M12 4l-8 8',
  out: 'M6 3H3v10h3M7 8h6.500M11 5.500 13.500 8 11 10.500',
  chevron: 'M6 4l4 4-4 4',
  clip:
    'M12.500 7.500 8 12a2.800 2.800 0 0 1-4-4l5-5a1.900 1.900 0 0 1 2.700 2.700' +
    'l-5 5a.900.900 0 0 1-1.300-1.300L10 5',
  more: 'M3.500 8h.100M8 8h.100M12.500 8h.100',
  file: 'M4 2.500h5l3 3v8H4zM9 2.500v3h3',
  note: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.500v3.500M8 5.200v.100',
  tip: 'M6 11.500a4.200 4.200 0 1 1 4 0M6 11.500v2h4v-2z',
  important: 'M3 3h10v8H7.500L5 13.500V11H3zM8 5v2.500M8 9v.100',
  warning: 'M8 2.500 14 13H2zM8 6.500v3M8 11.200v.100',
  caution: 'M5.500 2.500h5l3 3v5l-3 3h-5l-3-3v-5zM8 5v3.500M8 10.800v.100',
  person: 'M8 8a2.600 2.600 0 1 0 0-5.200A2.600 2.600 0 0 0 8 8zM3 13.500c.300-2.700 2.300-4 5-4s4.700 1.300 5 4',
  calendar: 'M2.500 4h11v9.500h-11zM2.500 7h11M5.500 2.500v3M10.500 2.500v3',
  estimate: 'M8 2.500 14 13H2z',
  parent: 'M4 2.500v7.500h5M9 7.500h4.500v5H9z',
  tag: 'M2.500 2.500h5l6 6-5 5-6-6zM5.200 5.200v.100',
  project: 'M8 2 13.500 5v6L8 14 2.500 11V5zM2.500 5 8 8l5.500-3M8 8v6',
  roadmap: 'M2.500 4h6M5.500 8h6M8.500 12h5',
  chart: 'M2.500 13.500h11M4 11V8M8 11V3M12 11V6',
  milestone: 'M4 14V2.500M4 3h8.500l-2 2.800 2 2.700H4',
  cycle: 'M13 6A5.500 5.500 0 1 0 13.500 9M13.500 2.500V6H10',
  smile: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6 6.500v.100M10 6.500v.100M5.500 9.500c1 1.700 4 1.700 5 0',
  issue: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
  star: 'M8 2.300l1.750 3.550 3.900.550-2.830 2.760.670 3.900L8 11.220l-3.490 1.840.670-3.900L2.350 6.400l3.900-.550z',
  view: 'M8 2.500 14 5.500 8 8.500 2 5.500zM2.500 8.500 8 11.200l5.500-2.700M2.500 11 8 13.700l5.500-2.700',
  side: 'M2.500 3h11v10h-11zM6.500 3v10',
  display: 'M2.500 5h7M12.500 5h1M11 3.500v3M2.500 11h1M6.500 11h7M5 9.500v3',
  trash: 'M3 4.500h10M6.500 4.500V3h3v1.500M4.500 4.500l.600 8.500h5.800l.600-8.500'
}

/** Hidden from screen readers: the element around it has its own label. */
export function Icon({ name, size = 16 }: { name: string; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden>
      <path d={PATHS[name] ?? 'M8 8h.1'} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
