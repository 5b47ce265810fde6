import { useState } from 'react'
import { useApi } from '../lib/use-api.ts'
import { MessagePill } from '../ui/pill.tsx'

/** Shows the status of one message until it is final. */
export function MessageFate({ messageId }: { messageId: string }) {
  const [isSettled, setSettled] = useState(false)
  const message = useApi('messages.get', { path: { id: messageId } }, { refetchInterval: isSettled ? false : 1000 })
  const status = message.data?.status
  if (!isSettled && status && ['delivered', 'failed', 'read'].includes(status)) setSettled(true)
  if (!status) return null
  return (
    <span role="status" className="flex min-w-0 items-center gap-2 text-dense text-muted-foreground">
      <MessagePill status={status} />
      <span className="truncate">{message.data?.detail}</span>
    </span>
  )
}
