import { currentPreferences } from './preferences.ts'

/** Undefined if the browser has no desktop notifications, or not without HTTPS. */
export function desktopPermission(): NotificationPermission | undefined {
  return 'Notification' in globalThis && globalThis.isSecureContext ? Notification.permission : undefined
}

/** Asks the person, once per browser. Only to be called from their own action. */
export function askDesktopPermission(): Promise<NotificationPermission> {
  return Notification.requestPermission()
}

type DesktopNotification = {
  title: string
  body: string
  /** A notification with the same tag is replaced. */
  tag: string
  onClick: () => void
}

/** Shows a notification on the desktop if the account wants it, the browser allows it and the page is hidden. */
export function showOnDesktop({ title, body, tag, onClick }: DesktopNotification) {
  if (!currentPreferences().desktopNotifications || desktopPermission() !== 'granted') return
  if (document.visibilityState !== 'hidden') return
  try {
    // The page plays its own sound.
    const shown = new Notification(title, { body, tag, silent: true })
    shown.addEventListener('click', () => {
      window.focus()
      shown.close()
      onClick()
    })
  } catch {
    // Chrome on Android has the permission but not the constructor; the bell is sufficient.
  }
}
