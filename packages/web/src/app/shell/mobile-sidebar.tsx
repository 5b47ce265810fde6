import { Dialog } from 'radix-ui'
import { scrim } from '../../ui/dialog.tsx'
import { NavList } from './nav-list.tsx'
import { Workspace } from './sidebar.tsx'

type MobileSidebarProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  onRestricted: (label: string) => void
}

/** The sidebar on phones: a drawer of 18rem from the left. */
export function MobileSidebar({ open, onOpenChange, onRestricted }: MobileSidebarProps) {
  const close = () => onOpenChange(false)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={`${scrim} z-40`} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-45 flex w-72 max-w-[85vw] animate-fade-in flex-col bg-sidebar text-sidebar-foreground shadow-3 outline-none"
        >
          <Dialog.Title className="sr-only">Navigation</Dialog.Title>
          <div className="flex h-14 shrink-0 items-center px-2">
            <Workspace />
          </div>
          <NavList
            onNavigate={close}
            onRestricted={(label) => {
              close()
              onRestricted(label)
            }}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
