import type { ManagedUser } from '@carillon/contract/users'
import { Module } from '@carillon/contract/roles'
import { useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { campaignsOff } from '../../lib/campaign-effects.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { useSwitchOff } from '../../lib/use-switch-off.ts'
import { CampaignsAffected, SwitchOffDialog } from '../../ui/campaigns-affected.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.tsx'
import { accountReads } from './reads.ts'
import { moduleLabels } from './user-labels.ts'

/** Module permissions. Switches are updated optimistically and reverted on error. */
export function PermissionsTab({ user }: { user: ManagedUser }) {
  const [granted, setGranted] = useState(user.grantedModules)
  const [asking, setAsking] = useState<Module>()
  const own = useApi('permissions.list', {})
  const detail = useApi('users.get', { path: { userId: user._id } })
  const mine = own.data?.modulePermissions.map(({ moduleName }) => moduleName)
  const grant = useApiWrite('permissions.grant', {
    refreshes: accountReads,
    onError({ message }) {
      setGranted(user.grantedModules)
      toast.error(message)
    },
  })

  function change(module: Module, isGranted: boolean) {
    setGranted(isGranted ? [...granted, module] : granted.filter((other) => other !== module))
    grant.mutate({ body: { userId: user._id, modulePermissions: [{ moduleName: module, granted: isGranted }] } })
  }

  const guard = useSwitchOff()
  const usersOf = (module: Module) => detail.data?.moduleUsers[module] ?? 0
  const hasUsersBelow = (module: Module) => (detail.data ? usersOf(module) > 0 : user.accountCount > 0)
  // Switching a module off affects all accounts below immediately, so it is confirmed if there are any.
  function ask(module: Module, isGranted: boolean) {
    if (isGranted) change(module, true)
    else if (hasUsersBelow(module)) setAsking(module)
    else if (module === 'campaign') guard.switchOff({ need: 'account', ids: user._id }, () => change(module, false))
    else change(module, false)
  }

  return (
    <>
      <ul className="px-5 py-2">
        {Module.options.map((module) => {
          const lacks = mine !== undefined && !mine.includes(module)
          return (
            <li key={module} className="flex min-h-14 items-center gap-4 border-b border-line py-2 last:border-0">
              <div className="min-w-0 flex-1">
                <p className="font-medium">{moduleLabels[module].label}</p>
                <p className="text-dense text-muted-foreground">{explain({ user, module, lacks, granted })}</p>
              </div>
              <Switch
                label={`${moduleLabels[module].label} for ${user.name}`}
                checked={granted.includes(module)}
                disabled={lacks || user.status === 'closed' || guard.isChecking}
                onCheckedChange={(isGranted) => ask(module, isGranted)}
              />
            </li>
          )
        })}
      </ul>
      {asking ? (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setAsking(undefined)}
          title={`Switch off ${moduleLabels[asking].label} for ${user.name}?`}
          description={`${affected(usersOf(asking))} below ${user.name} cannot use it either until you switch it on again. Their own permissions are saved.`}
          action={`Switch off ${moduleLabels[asking].label}`}
          destructive
          onConfirm={() => {
            change(asking, false)
            setAsking(undefined)
          }}
        >
          {asking === 'campaign' ? (
            <CampaignsAffected needed={{ need: 'account', ids: user._id }} effects={campaignsOff} />
          ) : null}
        </ConfirmDialog>
      ) : null}
      <SwitchOffDialog
        guard={guard}
        title={`Switch off ${moduleLabels.campaign.label} for ${user.name}?`}
        action={`Switch off ${moduleLabels.campaign.label}`}
        effects={campaignsOff}
      />
    </>
  )
}

function affected(users: number): string {
  return users === 0 ? 'The accounts' : countOf(users, 'account')
}

type Explained = { user: ManagedUser; module: Module; lacks: boolean; granted: readonly Module[] }

function explain({ user, module, lacks, granted }: Explained): string {
  const isMasked = granted.includes(module) && user.grantedModules.includes(module) && !user.modules.includes(module)
  if (isMasked) return 'Not in effect: it is switched off for an account above'
  return lacks ? 'Not enabled for your account' : moduleLabels[module].effect
}
