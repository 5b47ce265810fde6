import type { EndpointName } from '@carillon/contract'
import type { ComponentType } from 'react'
import type { ApiRead } from '../lib/api-read.ts'

/** The accounts through which an organisation sends on the channel. */
export type ChannelAccounts = {
  /** The call without which their screen is closed; absent if it is open to everybody. */
  call?: EndpointName
  /** How they are, on Communication Channels. */
  State: ComponentType
  /** What there is to connect, for a sentence of the first steps. */
  setUp: string
  /** Whether one of them can send. */
  isConnected: ApiRead<boolean>
}
