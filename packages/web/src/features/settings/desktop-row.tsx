import { useState } from 'react'
import { askDesktopPermission, desktopPermission } from '../../lib/desktop-notifications.ts'
import { Switch } from '../../ui/switch.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'

type DesktopRowProps = { isWanted: boolean; onChange: (isWanted: boolean) => void }

/** The account's choice, which takes effect in browsers that allow it. The browser asks when it is turned on. */
export function DesktopRow({ isWanted, onChange }: DesktopRowProps) {
  const [permission, setPermission] = useState(desktopPermission)

  async function change(isOn: boolean) {
    const current = isOn && permission === 'default' ? await askDesktopPermission() : permission
    setPermission(current)
    if (!isOn || current === 'granted') onChange(isOn)
  }
  return (
    <SettingRow title="Desktop notifications" detail={detailOf({ permission, isWanted })}>
      <Switch
        label="Desktop notifications"
        checked={isWanted && permission === 'granted'}
        disabled={permission === undefined || permission === 'denied'}
        onCheckedChange={(isOn) => void change(isOn)}
      />
    </SettingRow>
  )
}

type Choice = { permission: NotificationPermission | undefined; isWanted: boolean }

function detailOf({ permission, isWanted }: Choice): string {
  if (permission === undefined) return 'Not available in this browser, or not without HTTPS'
  if (permission === 'denied')
    return 'Blocked by this browser. Allow notifications for this site in the browser’s settings, then reload the page'
  return isWanted && permission === 'default'
    ? 'On for your account, but this browser has not been asked yet. Turn them on to allow them here'
    : 'Show notifications outside the browser while this page is in the background'
}
