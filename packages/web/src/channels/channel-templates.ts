import type { EndpointName } from '@carillon/contract'
import type { ComponentType } from 'react'
import type { ApiRead } from '../lib/api-read.ts'
import type { Search } from '../lib/search.ts'
import type { ChannelRenditions } from './channel-renditions.ts'
import type { MessagePiece } from '../ui/phone/pieces.ts'

/** Names and paths of a channel's template screens. */
export type TemplateScreens = {
  /** The noun for one template; follows 'New' on buttons. */
  label: string
  /** Paths within the area. */
  listPath: string
  editorPath: string
  /** The campaign wizard, which can begin with a template. */
  wizardPath: string
  listCall: EndpointName
  createCall: EndpointName
}

export type TemplateAttention = {
  kind: 'rejected' | 'paused' | 'in review'
  count: ApiRead<number>
  /** The list of these templates. */
  to: string
  search: Search
}

export type FoundTemplate = { _id: string; name: string }

/** A template offered on the overview. */
export type TemplateToUse = FoundTemplate & {
  /** What distinguishes it besides the name: its header, its language. */
  caption: string
  /** The text; variables show their names. */
  pieces: readonly MessagePiece[]
  isSendable: boolean
  /** Number of campaigns that used it. */
  usedCount: number
}

/** What other screens show about the channel's templates. */
export type ChannelTemplates = {
  screens: TemplateScreens
  total: ApiRead<number>
  attention: readonly TemplateAttention[]
  /** How many are rejected, and the first of them. */
  rejected: ApiRead<{ total: number; first: readonly FoundTemplate[] }>
  /** The first templates that match a search. */
  find: (query: string, limit: number) => ApiRead<readonly FoundTemplate[]>
  /** The newest templates, for a new campaign. */
  toUse: ApiRead<readonly TemplateToUse[]>
  /** Text below the number of templates. */
  describe: (count: { total: number; rejected: number }) => string
  /** Absent if its templates cannot be in template families. */
  renditions?: ChannelRenditions
  /** Additional content of the library. */
  ImportCard?: ComponentType
  Latest?: ComponentType
}
