/** Rows of a file as they come, blank ones left out, each with its 1-based number in the file. */
export type RowBatch = {
  rows: string[][]
  numbers: number[]
  /** How many of them the file hides. */
  hidden: number
  /** Share of the file read so far, 0 to 1. */
  share: number
}

export const limits = {
  bytes: 100 * 1024 * 1024,
  unpackedBytes: 1024 * 1024 * 1024,
  /** A sheet of numbers packs some ten times; two hundred is somebody's trick. */
  ratio: 200,
  rows: 1_000_000,
  columns: 256,
  cellCharacters: 4000,
  rowCharacters: 1_000_000,
} as const

export const rowsPerBatch = 2000
