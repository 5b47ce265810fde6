import type { ManagedUser } from '@carillon/contract/people'
import { Module } from '@carillon/contract/roles'
import { useState } from 'react'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.tsx'
import { accountReads } from './reads.ts'
import { moduleWords } from './words.ts'

/** What an account may use. A switch moves at once and goes back when the server refuses. */
export function PermissionsTab({ user }: { user: ManagedUser }) {
  const [modules, setModules] = useState(user.modules)
  const own = useApi('permissions.list', {})
  const mine = own.data?.modulePermissions.map(({ moduleName }) => moduleName)
  const grant = useApiWrite('permissions.grant', {
    refreshes: accountReads,
    onSuccess: ({ modulePermissions }) => setModules(modulePermissions.map(({ moduleName }) => moduleName)),
    onError({ message }) {
      setModules(user.modules)
      toast.error(message)
    },
  })

  function change(module: Module, granted: boolean) {
    setModules(granted ? [...modules, module] : modules.filter((other) => other !== module))
    grant.mutate({ body: { userId: user._id, modulePermissions: [{ moduleName: module, granted }] } })
  }

  return (
    <ul className="px-5 py-2">
      {Module.options.map((module) => {
        const lacks = mine !== undefined && !mine.includes(module)
        return (
          <li key={module} className="flex min-h-14 items-center gap-4 border-b border-line py-2 last:border-0">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{moduleWords[module].label}</p>
              <p className="text-dense text-muted-foreground">
                {lacks ? 'You do not have it yourself' : moduleWords[module].effect}
              </p>
            </div>
            <Switch
              label={`${moduleWords[module].label} for ${user.name}`}
              checked={modules.includes(module)}
              disabled={lacks || user.status === 'closed'}
              onCheckedChange={(granted) => change(module, granted)}
            />
          </li>
        )
      })}
    </ul>
  )
}
