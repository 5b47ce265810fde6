import { toasts } from '../lib/constants.ts'
import { CircleCheck, OctagonX, TriangleAlert } from 'lucide-react'
import { Toaster as Sonner, toast as sonner } from 'sonner'
import { useEffect, type ReactNode } from 'react'

/** Mounted once. Three visible, four seconds, 356 px wide, 14 px apart, at the bottom right. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={toasts.visible}
      duration={toasts.durationMs}
      gap={toasts.gap}
      offset={24}
      mobileOffset={{ left: 16, right: 16, bottom: 88 }}
      containerAriaLabel="Notifications"
      hotkey={['altKey', 'KeyT']}
      className="toaster"
      icons={{
        success: <CircleCheck aria-hidden className="size-4 text-success-text" />,
        error: <OctagonX aria-hidden className="size-4 text-danger-text" />,
        warning: <TriangleAlert aria-hidden className="size-4 text-warning-text" />,
      }}
      toastOptions={{ classNames: { toast: 'toast' } }}
    />
  )
}

type Extra = {
  description?: ReactNode
  action?: { label: string; onClick: () => void }
  duration?: number
  id?: string
}

export const toast = {
  success: (message: string, extra?: Extra) => void sonner.success(message, extra),
  error: (message: string, extra?: Extra) => void sonner.error(message, extra),
  plain: (message: string, extra?: Extra) => void sonner(message, extra),
  dismiss: (id?: string) => void sonner.dismiss(id),
}

/** Shows a toast once for a failed read, however often it is retried; again after a success. */
export function useFailureToast(id: string, message: string | undefined) {
  useEffect(() => {
    if (message) toast.error(message, { id })
  }, [id, message])
}
