import { loadCode } from '../../../lib/load-code.ts'
import { lazy, Suspense, type ComponentProps } from 'react'
import type { WhatsappScreen } from './whatsapp-screen.tsx'

const Screen = lazy(async () => ({ default: (await loadCode(() => import('./whatsapp-screen.tsx'))).WhatsappScreen }))

/** Loaded only for WhatsApp messages, so that login and SMS screens do without it. */
export function LazyWhatsappScreen(props: ComponentProps<typeof WhatsappScreen>) {
  return (
    <Suspense fallback={<div aria-busy="true" className="flex-1" />}>
      <Screen {...props} />
    </Suspense>
  )
}
