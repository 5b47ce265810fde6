import { Lock } from 'lucide-react'
import { messages } from '@carillon/contract/errors'
import type { ReactNode } from 'react'
import { Empty } from './empty.tsx'

/** Shown if role or modules do not allow this region; no call was made. */
export function Denied({
  children = 'Ask your account manager.',
  actions,
}: {
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <Empty icon={Lock} title={messages.notAuthorized} actions={actions}>
      {children}
    </Empty>
  )
}
