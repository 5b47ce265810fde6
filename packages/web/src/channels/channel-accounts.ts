import type { EndpointName } from '@carillon/contract'
import type { ComponentType } from 'react'
import type { ApiRead } from '../lib/api-read.ts'
import type { Search } from '../lib/search.ts'

/** Provider accounts of an organisation on the channel. */
export type ChannelAccounts = {
  /** The call that their screen requires; absent if none. */
  call?: EndpointName
  /** Their state on Communication Channels. */
  State: ComponentType
  /** The noun for what to connect, in the first steps. */
  setUp: string
  /** Whether any of them can send. */
  isConnected: ApiRead<boolean>
  /** What the caller has to do for accounts of all organisations, one line each. */
  tasks?: ApiRead<readonly ChannelTask[]>
}

export type ChannelTask = {
  /** '2 bots awaiting launch'. */
  title: string
  /** Where it is done, within the caller's area. */
  to: string
  search: Search
}
