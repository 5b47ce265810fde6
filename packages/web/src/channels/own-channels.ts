import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { Role } from '@carillon/contract/roles'
import { channelList } from './index.ts'

/** Limits the list of campaigns to a role's only channel, if it has just one. */
export function onlyChannelOf(role: Role | undefined): { channel?: Channel } {
  const own = channelList
    .map(({ channel }) => channel)
    .filter((channel) => {
      const { isSupported, campaignRoles } = channelTraits[channel]
      return isSupported && role !== undefined && campaignRoles.includes(role)
    })
  const [channel] = own
  return channel && own.length === 1 ? { channel } : {}
}
