import type { Team } from '@carillon/contract/inbox-settings'
import { Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Region } from '../../ui/region.tsx'
import { toast } from '../../ui/toast.tsx'
import { agentReads } from './agent-reads.ts'
import { TeamDialog } from './team-dialog.tsx'

type Action = { kind: 'create' } | { kind: 'edit' | 'delete'; team: Team }

/** Teams with their members and the lines that they answer. */
export function TeamsTab({ isManager }: { isManager: boolean }) {
  const [action, setAction] = useState<Action>()
  const teams = useApi('teams.list', {})
  const create = (variant: 'primary' | 'outline') =>
    isManager ? (
      <Button variant={variant} size="sm" onClick={() => setAction({ kind: 'create' })}>
        <Plus aria-hidden /> New team
      </Button>
    ) : null
  return (
    <div className="max-w-220 py-4 screen-x">
      <Region read={teams} label="teams" lines={5}>
        {({ teams: all }) =>
          all.length === 0 ? (
            <Empty
              icon={Users}
              title={isManager ? 'Create your first team' : 'No teams yet'}
              actions={create('outline')}
            >
              Members of a team see and answer the conversations of its lines.
            </Empty>
          ) : (
            <>
              <div className="flex items-center justify-between gap-4 pb-3">
                <p className="text-muted-foreground">
                  Members of a team see and answer the conversations of its lines.
                </p>
                {create('primary')}
              </div>
              <ul className="divide-y divide-line border-y border-border">
                {all.map((team) => (
                  <TeamLine key={team.id} team={team} isManager={isManager} onAction={setAction} />
                ))}
              </ul>
            </>
          )
        }
      </Region>
      {action?.kind === 'create' ? <TeamDialog onClose={() => setAction(undefined)} /> : null}
      {action?.kind === 'edit' ? <TeamDialog team={action.team} onClose={() => setAction(undefined)} /> : null}
      {action?.kind === 'delete' ? <DeleteTeam team={action.team} onClose={() => setAction(undefined)} /> : null}
    </div>
  )
}

type TeamLineProps = { team: Team; isManager: boolean; onAction: (action: Action) => void }

function TeamLine({ team, isManager, onAction }: TeamLineProps) {
  const { name, members, lines } = team
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <b className="block font-medium break-words">{name}</b>
        <p className="text-dense break-words text-muted-foreground">
          {members.length === 0 ? 'No members' : members.map((member) => member.name).join(', ')}
        </p>
        <p className="text-dense break-words text-muted-foreground">
          {lines.length === 0
            ? 'No lines'
            : `${countOf(lines.length, 'line')}: ${lines.map((line) => line.name).join(', ')}`}
        </p>
      </div>
      {isManager ? (
        <div className="flex gap-2">
          <Button size="sm" onClick={() => onAction({ kind: 'edit', team })}>
            Edit<span className="sr-only"> {name}</span>
          </Button>
          <Button size="sm" variant="ghost" onClick={() => onAction({ kind: 'delete', team })}>
            Delete<span className="sr-only"> {name}</span>
          </Button>
        </div>
      ) : null}
    </li>
  )
}

function DeleteTeam({ team: { id, name }, onClose }: { team: Team; onClose: () => void }) {
  const remove = useApiWrite('teams.delete', {
    refreshes: agentReads,
    onSuccess() {
      onClose()
      toast.success(`${name} was deleted`)
    },
  })
  return (
    <DeleteDialog
      noun="team"
      name={name}
      description="Its conversations have no team then. Members keep their own lines; a member who has none left answers all lines."
      remove={remove}
      onConfirm={() => remove.mutate({ path: { id } })}
      onClose={onClose}
    />
  )
}
