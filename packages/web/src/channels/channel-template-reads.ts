import type { ComponentType } from 'react'
import type { ApiRead } from '../lib/api-read.ts'
import type { Search } from '../lib/search.ts'

export type TemplateAttention = {
  kind: 'rejected' | 'paused' | 'in review'
  count: ApiRead<number>
  /** The list of these templates. */
  to: string
  search: Search
}

export type FoundTemplate = { _id: string; name: string }

/** What other screens show about the channel's templates. */
export type TemplateReads = {
  total: ApiRead<number>
  attention: readonly TemplateAttention[]
  /** The first templates that match a search. */
  find: (query: string, limit: number) => ApiRead<readonly FoundTemplate[]>
  /** Templates to use again, on the overview. */
  UseAgain?: ComponentType
}
