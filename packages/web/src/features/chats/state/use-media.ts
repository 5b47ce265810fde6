import type { MessageBody } from '@carillon/contract/conversation-records'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { queries } from '../../../lib/queries.ts'

type Media = NonNullable<MessageBody['media']>

/** Types that browsers show without running anything in them. */
const shown = /^(?:image\/(?:png|jpeg|webp|gif)|video\/(?:mp4|3gpp|webm)|audio\/(?:ogg|mpeg|mp4|aac|amr|webm))(?:;|$)/

export const mayShow = (mimeType: string | undefined) => mimeType !== undefined && shown.test(mimeType)

/** The file of a message as an address inside the page; loaded when it is first drawn. */
export function useMedia(chatId: string, media: Media | undefined, enabled = true) {
  const fileId = media?.fileId
  return useQuery({
    queryKey: ['conversations.file', chatId, fileId],
    queryFn: async ({ signal }) => {
      const blob = await call('conversations.file', { path: { id: chatId, fileId: fileId ?? '' } }, { signal })
      const mimeType = media?.mimeType ?? 'application/octet-stream'
      return URL.createObjectURL(new Blob([blob], { type: mayShow(mimeType) ? mimeType : 'application/octet-stream' }))
    },
    enabled: enabled && fileId !== undefined,
    staleTime: Infinity,
    gcTime: 5 * 60_000,
  })
}

// A file that is no longer drawn is freed.
queries.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'removed' || query.queryKey[0] !== 'conversations.file') return
  if (typeof query.state.data === 'string') URL.revokeObjectURL(query.state.data)
})
