import type { Preferences, Profile } from '@carillon/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { setPreferences } from '../../lib/preferences.ts'
import { setTheme, useTheme } from '../../lib/theme.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.tsx'
import { DesktopRow } from './desktop-row.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'

/** User preferences. Each change is applied immediately, and can be undone. */
export function PreferencesSection({ profile: { preferences } }: { profile: Profile }) {
  const theme = useTheme()
  const prefer = usePrefer(preferences)
  return (
    <div className="flex flex-col">
      <SettingRow title="Theme" detail="Stored in this browser">
        <Segmented
          label="Theme"
          value={theme}
          options={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onValueChange={setTheme}
        />
      </SettingRow>
      <SettingRow title="Table density" detail="Each table can still be changed on its own">
        <Segmented
          label="Table density"
          value={preferences.density}
          options={[
            { value: 'comfortable', label: 'Comfortable' },
            { value: 'compact', label: 'Compact' },
          ]}
          onValueChange={(density) => prefer({ density })}
        />
      </SettingRow>
      <SettingRow title="Phones in previews" detail="How the recipient’s phone is shown">
        <Segmented
          label="Phones in previews"
          value={preferences.previewTheme}
          options={[
            { value: 'page', label: 'Match theme' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onValueChange={(previewTheme) => prefer({ previewTheme })}
        />
      </SettingRow>
      <SettingRow title="Sounds" detail="Play a sound for new notifications and messages">
        <Switch label="Sounds" checked={preferences.sounds} onCheckedChange={(sounds) => prefer({ sounds })} />
      </SettingRow>
      <DesktopRow
        isWanted={preferences.desktopNotifications}
        onChange={(desktopNotifications) => prefer({ desktopNotifications })}
      />
      <SettingRow
        title="Single-key shortcuts"
        detail="N, F, / and two-key sequences; shortcuts with Ctrl or ⌘ always work"
      >
        <Switch
          label="Single-key shortcuts"
          checked={preferences.singleKeyShortcuts}
          onCheckedChange={(singleKeyShortcuts) => prefer({ singleKeyShortcuts })}
        />
      </SettingRow>
    </div>
  )
}

/** Saves a change immediately, with undo. */
export function usePrefer(current: Preferences) {
  const queries = useQueryClient()
  const save = useApiWrite('profile.update', {
    onSuccess(profile) {
      // The shell applies the preferences of the profile it has each time it renders.
      queries.setQueryData(['profile.details', {}], profile)
      setPreferences(profile.preferences)
    },
    onError: ({ message }) => toast.error(message),
  })
  return (patch: Partial<Preferences>) => {
    save.mutate({ body: { preferences: patch } })
    toast.success('Preference saved', {
      id: 'preference',
      action: { label: 'Undo', onClick: () => save.mutate({ body: { preferences: current } }) },
    })
  }
}
