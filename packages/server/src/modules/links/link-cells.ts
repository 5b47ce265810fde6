import { exampleLink, linkCodeLength } from '@carillon/contract/link-addresses'
import { z } from 'zod'
import { createEncoder } from './link-code.ts'

/**
 * A link in the frozen content of a leg. Its addresses are the values of a column behind those of the audience, so channels render them
 * like any other value.
 */
export const FrozenLink = z.object({
  column: z.number().int(),
  /** What precedes the code; empty if the template itself has it. */
  prefix: z.string(),
  /** Name of the variable that has its addresses. */
  variable: z.string(),
  /** The only host name that it is answered on. */
  host: z.string(),
  url: z.string(),
  /** Absent before the campaign is validated: every address is an example of the same length. */
  number: z.number().int().optional(),
  key: z.string().optional(),
})
export type FrozenLink = z.infer<typeof FrozenLink>

const WithLinks = z.object({ links: z.array(FrozenLink).default([]) })

/** The links of a leg's frozen content. */
export function linksOf(content: unknown): FrozenLink[] {
  const parsed = WithLinks.safeParse(content)
  return parsed.success ? parsed.data.links : []
}

export type AppendLinks = (cells: readonly string[], seq: number) => readonly string[]

/** Reads a leg's content once. The returned function adds a recipient's addresses to the values of their row. */
export function createAppendLinks(content: unknown): AppendLinks {
  const links = linksOf(content)
  if (links.length === 0) return (cells) => cells
  const columns = links.map(({ column, prefix, ...link }) => {
    const code = createCode(link)
    return { column, write: (seq: number) => prefix + code(seq) }
  })
  const width = Math.max(...columns.map(({ column }) => column)) + 1
  return (cells, seq) => {
    const row = Array.from({ length: Math.max(width, cells.length) }, (_, index) => cells[index] ?? '')
    for (const { column, write } of columns) row[column] = write(seq)
    return row
  }
}

const exampleCode = exampleLink('').slice(-linkCodeLength)

function createCode({ number, key }: Pick<FrozenLink, 'number' | 'key'>): (seq: number) => string {
  if (number === undefined || key === undefined) return () => exampleCode
  return createEncoder(number, Buffer.from(key, 'base64url'))
}

/** The values of one recipient's row with their addresses. */
export function appendLinks(content: unknown, cells: readonly string[], seq: number): readonly string[] {
  return createAppendLinks(content)(cells, seq)
}
