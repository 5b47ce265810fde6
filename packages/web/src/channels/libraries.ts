import type { Channel } from '@carillon/contract/channels'
import { mayCall } from '../lib/call.ts'
import type { ChannelTemplates } from './channel-templates.ts'
import { channelList } from './index.ts'
import { channelTemplates } from './templates.ts'

export type Library = { channel: Channel; templates: ChannelTemplates }

/** Channels with templates. */
export const libraries: readonly Library[] = channelList.flatMap(({ channel }) => {
  const templates = channelTemplates[channel]
  return templates ? [{ channel, templates }] : []
})

/** Channels whose templates the role may read. */
export function readableLibraries(): Library[] {
  return libraries.filter(({ templates }) => mayCall(templates.screens.listCall))
}

/** Channels whose templates the role may create. */
export function writableLibraries(): Library[] {
  return readableLibraries().filter(({ templates }) => mayCall(templates.screens.createCall))
}
