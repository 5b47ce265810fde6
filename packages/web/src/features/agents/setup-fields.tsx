import { channelLabel } from '../../channels/channel-mark.tsx'
import { useApi } from '../../lib/use-api.ts'
import { Choices } from '../../ui/choices.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import type { SetupDraft } from './setup-draft.ts'

/** Fields whose errors `SetupFields` shows. */
export const setupFields = ['skills', 'teamIds', 'lineIds', 'maxOpen', 'perChannel']

type SetupFieldsProps = {
  draft: SetupDraft
  errors: Record<string, string>
  onChange: (patch: Partial<SetupDraft>) => void
}

/** Skills, teams, lines and capacity of an agent. */
export function SetupFields({ draft, errors, onChange }: SetupFieldsProps) {
  const teams = useApi('teams.list', {})
  const lines = useApi('conversations.lines', {})
  const channels = [...new Set(lines.data?.lines.map(({ channel }) => channel))]
  const errorOf = (field: string) => Object.entries(errors).find(([path]) => path.split('.')[0] === field)?.[1]
  return (
    <>
      <Field
        label="Skills"
        hint="optional"
        help="Separated by commas, such as Tamil, Billing. Conversations that need a skill go to agents who have it."
        error={errorOf('skills')}
      >
        <Input autoComplete="off" value={draft.skills} onChange={({ target }) => onChange({ skills: target.value })} />
      </Field>
      <Choices
        label="Teams"
        hint="optional"
        error={errorOf('teamIds')}
        none="There are no teams yet."
        options={teams.data?.teams.map(({ id, name }) => ({ id, name }))}
        failed={teams.error?.message}
        chosen={draft.teamIds}
        onChange={(teamIds) => onChange({ teamIds })}
      />
      <Choices
        label="Lines"
        hint="optional"
        help="With no teams and no lines, the agent answers all lines."
        error={errorOf('lineIds')}
        none="There are no numbers or bots yet."
        options={lines.data?.lines.map(({ _id, name, channel }) => ({
          id: _id,
          name,
          detail: channelLabel(channel),
        }))}
        failed={lines.error?.message}
        chosen={draft.lineIds}
        onChange={(lineIds) => onChange({ lineIds })}
      />
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 font-medium">
          Open conversations at once <small className="text-caption font-normal text-muted-foreground">optional</small>
        </legend>
        <div className="grid grid-cols-2 gap-3">
          <Most
            label="In all"
            error={errorOf('maxOpen')}
            value={draft.maxOpen}
            onChange={(maxOpen) => onChange({ maxOpen })}
          />
          {channels.map((channel) => (
            <Most
              key={channel}
              label={channelLabel(channel)}
              error={errors[`perChannel.${channel}`]}
              value={draft.perChannel[channel] ?? ''}
              onChange={(most) => onChange({ perChannel: { ...draft.perChannel, [channel]: most } })}
            />
          ))}
        </div>
        <p className="text-caption text-muted-foreground">
          Automatic assignment stops at these numbers. Leave empty for no limit.
        </p>
      </fieldset>
    </>
  )
}

type MostProps = { label: string; value: string; error: string | undefined; onChange: (value: string) => void }

function Most({ label, value, error, onChange }: MostProps) {
  return (
    <Field label={label} small error={error}>
      <Input
        inputMode="numeric"
        autoComplete="off"
        placeholder="No limit"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}
