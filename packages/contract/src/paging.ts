import { z } from 'zod'

export const maximumPageSize = 100

/** `page` and `limit` of a list; query values arrive as text. */
export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(maximumPageSize).default(10),
})
export type PageQuery = z.infer<typeof PageQuery>

export const Pagination = z.object({
  page: z.number(),
  limit: z.number(),
  total: z.number(),
  totalPages: z.number(),
})
export type Pagination = z.infer<typeof Pagination>

/** An empty list has one page. */
export function paginate({ page, limit }: PageQuery, total: number): Pagination {
  return { page, limit, total, totalPages: Math.max(1, Math.ceil(total / limit)) }
}
