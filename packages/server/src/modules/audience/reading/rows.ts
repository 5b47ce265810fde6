/** Rows of a file as they come: `first` is the 1-based number of the first row in the file. */
export type RowBatch = { first: number; rows: string[][]; /** Share of the file's bytes read so far, 0 to 1. */ share: number }

export const limits = {
  bytes: 100 * 1024 * 1024,
  unpackedBytes: 1024 * 1024 * 1024,
  /** A sheet of numbers packs some ten times; two hundred is somebody's trick. */
  ratio: 200,
  rows: 1_000_000,
  columns: 256,
  cellCharacters: 4000,
} as const

export const rowsPerBatch = 2000
