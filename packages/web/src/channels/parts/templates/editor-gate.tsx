import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Denied } from '../../../ui/denied.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import type { TemplateScreens } from '../../channel-templates.ts'

type EditorGateProps = {
  screens: TemplateScreens
  /** Data that the editor needs first. */
  read: { isPending: boolean; error: Error | null; retry: () => void }
  /** Shown if no account can send templates. */
  noAccount: NoAccountProps
  hasAccount: boolean
  /** The editor, rendered once all data is loaded. */
  children: () => ReactNode
}

/** A template editor with its states: loading, denied, failed, or without an account to create templates for. */
export function EditorGate({ screens, read, noAccount, hasAccount, children }: EditorGateProps) {
  const bare = (content: ReactNode) => <Page title={`New ${screens.label}`}>{content}</Page>
  if (!mayCall(screens.createCall)) return bare(<Denied />)
  if (read.error) return bare(<Failure error={read.error} onRetry={read.retry} />)
  if (read.isPending)
    return (
      <Loading label="Loading the template">
        <SkeletonLines count={8} />
      </Loading>
    )
  return hasAccount ? children() : bare(<NoAccount {...noAccount} />)
}

type NoAccountProps = {
  icon: LucideIcon
  title: string
  text: string
  /** Path and label of the screen that connects an account. */
  to: string
  action: string
}

function NoAccount({ icon, title, text, to, action }: NoAccountProps) {
  return (
    <Empty
      icon={icon}
      title={title}
      actions={
        <Button asChild variant="primary">
          <AreaLink to={to}>{action}</AreaLink>
        </Button>
      }
    >
      {text}
    </Empty>
  )
}
