import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'

type NothingToChooseProps = {
  icon: LucideIcon
  title: string
  /** The action that creates an object, and its path in the area. */
  action: string
  to: string
  /** As a line within a list. */
  isCompact?: boolean
  children: ReactNode
}

/** Empty state with a link to create the missing object; the draft stays saved. */
export function NothingToChoose({ icon, title, action, to, isCompact, children }: NothingToChooseProps) {
  if (isCompact) {
    return (
      <Notice
        tone="care"
        actions={
          <Button asChild size="tool">
            <AreaLink to={to}>{action}</AreaLink>
          </Button>
        }
      >
        {title}. {children}
      </Notice>
    )
  }
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
      {children} Your draft is saved.
    </Empty>
  )
}
