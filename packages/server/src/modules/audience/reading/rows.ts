/** A batch of rows without blank ones, each with its 1-based number in the file. */
export type RowBatch = {
  rows: string[][]
  numbers: number[]
  /** Number of hidden rows among them. */
  hidden: number
  /** Share of the file read so far, 0 to 1. */
  share: number
}

export const limits = {
  bytes: 100 * 1024 * 1024,
  unpackedBytes: 1024 * 1024 * 1024,
  /** Sheets of numbers compress about tenfold; a ratio of 200 indicates a zip bomb. */
  ratio: 200,
  rows: 1_000_000,
  columns: 256,
  cellCharacters: 4000,
  rowCharacters: 1_000_000,
} as const

export const rowsPerBatch = 2000
