import type { Conversation } from '@carillon/contract/conversation-records'
import type { CannedReply } from '@carillon/contract/inbox-settings'
import { formatPhone } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { fillCanned } from '../../../lib/canned-text.ts'
import { shortName } from '../person-name.ts'

/** The canned replies with the values of a conversation. */
export function useCanned({ name, phoneNumber, username }: Conversation) {
  const list = useApi('cannedReplies.list', {}, { staleTime: 60_000 })
  const profile = useApi('profile.details', {}, { staleTime: 300_000 })
  const values = {
    name: shortName(name),
    number: phoneNumber ? formatPhone(phoneNumber) : (username ?? ''),
    agent: profile.data?.name ?? '',
    organization: profile.data?.organization ?? '',
  }
  return {
    replies: list.data?.cannedReplies ?? [],
    emptyText: list.isPending
      ? 'Loading canned replies…'
      : list.data?.cannedReplies.length === 0
        ? 'No canned replies yet'
        : 'No canned reply matches',
    fill: (text: string) => fillCanned(text, values),
  }
}

export function CannedOption({ reply, preview }: { reply: CannedReply; preview: string }) {
  return (
    <>
      <b className="max-w-40 shrink-0 truncate">/{reply.shortcut}</b>
      <span dir="auto" className="message-text min-w-0 flex-1 truncate text-dense text-muted-foreground">
        {preview}
      </span>
    </>
  )
}
