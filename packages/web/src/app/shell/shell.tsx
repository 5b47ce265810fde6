import { routes } from '@carillon/contract/routes.gen'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import clsx from 'clsx'
import { useEffect, useState, type ReactNode } from 'react'
import { addRoutes } from '../../lib/call.ts'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { queries } from '../../lib/queries.ts'
import { useUser } from '../../lib/session.ts'
import { toggleSidebar, useSidebarOpen } from '../../lib/sidebar-cookie.ts'
import { connectSocket } from '../../lib/socket.ts'
import { useGo } from '../../ui/area-link.tsx'
import { HeldSendBar } from '../../ui/held-send.tsx'
import { Toaster } from '../../ui/toast.tsx'
import { TooltipProvider } from '../../ui/tooltip.tsx'
import { AccessRestricted } from './access-restricted.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { LongWrites } from './long-writes.tsx'
import { MobileSidebar } from './mobile-sidebar.tsx'
import { navigationOf } from './navigation.ts'
import { NoticeBar } from './notice-bar.tsx'
import { Palette } from './palette.tsx'
import { Permitted } from './permitted.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'
import { Support } from './support.tsx'
import { TopUp } from './top-up.tsx'
import { ImpersonationFrame } from './impersonation-frame.tsx'

addRoutes(routes)

type ShellProps = {
  /** After the existing form. */
  takesFocus?: boolean | undefined
  children?: ReactNode
}

/** The frame of every area with the providers its screens need; may also show a path outside the areas. */
export function Shell({ takesFocus, children }: ShellProps) {
  return (
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <Frame takesFocus={takesFocus}>{children ?? <Screen />}</Frame>
      </TooltipProvider>
    </QueryClientProvider>
  )
}

/** Sidebar, header, screen and footer, with dialogs above them. */
function Frame({ takesFocus, children }: ShellProps) {
  const user = useUser()
  const isOpen = useSidebarOpen()
  const [drawerOpen, setDrawerOpen] = useState(false)
  const [paletteOpen, setPaletteOpen] = useState(false)
  const [shortcutsOpen, setShortcutsOpen] = useState(false)
  const [restricted, setRestricted] = useState<string>()
  const goTo = useGo()

  useEffect(() => connectSocket(), [user?.token])
  useFocusOnArrival()
  useHotkeys({
    'Mod+KeyB': () => (matchMedia('(max-width: 767px)').matches ? setDrawerOpen(true) : toggleSidebar()),
    'Mod+KeyK': () => setPaletteOpen((open) => !open),
    'Shift+Slash': () => setShortcutsOpen(true),
    ...(user ? chordsOf(user.type, goTo) : {}),
  })
  if (!user) return null

  return (
    <div
      className={clsx(
        'grid min-h-dvh transition-[grid-template-columns] duration-(--layout-duration) motion-reduce:transition-none md:grid-cols-[3rem_minmax(0,1fr)]',
        isOpen && 'lg:grid-cols-[16rem_minmax(0,1fr)]',
      )}
    >
      <a
        href="#main"
        className="fixed -top-12 left-3 z-99 rounded-md bg-primary px-3 py-2 text-primary-foreground focus:top-3"
      >
        Skip to content
      </a>
      <Sidebar isOpen={isOpen} onRestricted={setRestricted} />
      <div className="group/frame flex min-h-dvh min-w-0 flex-col has-data-inbox:h-dvh">
        <Header onDrawer={() => setDrawerOpen(true)} onPalette={() => setPaletteOpen(true)} />
        <NoticeBar />
        <main
          id="main"
          tabIndex={-1}
          ref={takesFocus ? focus : undefined}
          className="flex w-full max-w-[1600px] min-w-0 flex-1 flex-col outline-none has-data-full-height:max-w-none has-data-inbox:min-h-0"
        >
          {children}
        </main>
        <Footer />
      </div>
      <MobileSidebar open={drawerOpen} onOpenChange={setDrawerOpen} onRestricted={setRestricted} />
      <Palette open={paletteOpen} onOpenChange={setPaletteOpen} />
      <Shortcuts open={shortcutsOpen} onOpenChange={setShortcutsOpen} />
      <AccessRestricted item={restricted} onClose={() => setRestricted(undefined)} />
      <TopUp />
      <Support />
      <ImpersonationFrame />
      <HeldSendBar />
      <LongWrites />
      <Toaster />
    </div>
  )
}

const focus = (main: HTMLElement | null) => main?.focus()

function Screen() {
  return (
    <Permitted>
      <Outlet />
    </Permitted>
  )
}

/** Focuses the heading of a new screen, so that screen readers announce it. */
function useFocusOnArrival() {
  const router = useRouter()
  useEffect(() => {
    // After a login the shell is mounted before its screen is resolved; after a reload there is no previous location.
    let known = (router.state.resolvedLocation ?? router.state.location).pathname
    return router.subscribe('onRendered', ({ toLocation }) => {
      if (toLocation.pathname === known) return
      known = toLocation.pathname
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    })
  }, [router])
}

function chordsOf(role: Parameters<typeof navigationOf>[0], goTo: (path: string) => void) {
  return Object.fromEntries(
    navigationOf(role).flatMap(({ keys, path }) => (keys ? [[`Key${keys[0]} Key${keys[1]}`, () => goTo(path)]] : [])),
  )
}
