import type { SignUpSettings } from '@carillon/contract/users'
import { Module } from '@carillon/contract/roles'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Region } from '../../ui/region.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'

const moduleNames: Record<Module, string> = {
  campaign: 'Campaigns',
  template: 'Templates',
  chat: 'Conversations',
  api: 'API',
  agent: 'Team members',
}

/** Settings for self-registration below this account. */
export function RegistrationSection() {
  const settings = useApi('signUp.get', {})
  return (
    <Region read={settings} label="the registration settings" lines={4}>
      {(data) => <Registration settings={data} />}
    </Region>
  )
}

type Own = Omit<SignUpSettings, 'mayImpersonate'>

function Registration({ settings }: { settings: Own }) {
  const save = useApiWrite('signUp.set', {
    refreshes: ['signUp.get'],
    onSuccess: () => toast.success('Registration settings saved', { id: 'registration' }),
    onError: ({ message }) => toast.error(message),
  })
  const { allowRegistration, autoApprove, defaultModules } = settings
  const set = (patch: Partial<Own>) =>
    save.mutate({ body: { allowRegistration, autoApprove, defaultModules, ...patch } })
  return (
    <div className="flex flex-col">
      <SettingRow
        title="Open registration"
        detail="Anyone can register on the registration page and becomes your customer"
      >
        <Switch
          label="Open registration"
          checked={settings.allowRegistration}
          disabled={save.isPending}
          onCheckedChange={(allowRegistration) => set({ allowRegistration })}
        />
      </SettingRow>
      <SettingRow
        title="Approve automatically"
        detail="Off: registrations need your approval. New accounts always start with the lowest rights"
      >
        <Switch
          label="Approve automatically"
          checked={settings.autoApprove}
          disabled={save.isPending || !settings.allowRegistration}
          onCheckedChange={(autoApprove) => set({ autoApprove })}
        />
      </SettingRow>
      <SettingRow title="Initial modules" detail="For accounts that are approved automatically">
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {Module.options.map((module) => (
            <Checkbox
              key={module}
              label={moduleNames[module]}
              disabled={save.isPending || !settings.autoApprove}
              checked={settings.defaultModules.includes(module)}
              onChange={({ target }) =>
                set({
                  defaultModules: target.checked
                    ? [...settings.defaultModules, module]
                    : settings.defaultModules.filter((other) => other !== module),
                })
              }
            />
          ))}
        </div>
      </SettingRow>
    </div>
  )
}
