import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { channelList } from '../../../channels/index.ts'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { holderNames, statusNames } from '../chat-labels.ts'
import { countFilters, holders, noFilters, statuses, type ChatsView } from '../chats-view.ts'

type InboxFiltersProps = { view: ChatsView; onView: (patch: Partial<ChatsView>) => void }

/** A button with the filters of the list. */
export function InboxFilters({ view, onView }: InboxFiltersProps) {
  const [open, setOpen] = useState(false)
  useHotkeys({ KeyF: () => setOpen(true) })
  const count = countFilters(view)
  return (
    <span className="relative">
      <Popover
        label="Filters"
        align="end"
        open={open}
        onOpenChange={setOpen}
        className="flex max-h-[min(560px,80dvh)] w-72 flex-col gap-4 overflow-y-auto p-4"
        trigger={
          <IconButton
            label={count > 0 ? `Filters, ${count} active` : 'Filters'}
            keys={['F']}
            variant="outline"
            size="sm"
            className="max-md:size-11"
          >
            <SlidersHorizontal aria-hidden />
          </IconButton>
        }
      >
        <FilterFields view={view} onView={onView} />
        <div className="sticky -bottom-4 -mx-4 -mb-4 flex justify-end gap-2 border-t border-line bg-popover px-4 py-3">
          <Button size="sm" aria-disabled={count === 0} onClick={() => onView(noFilters)}>
            Clear filters
          </Button>
          <Button size="sm" variant="primary" onClick={() => setOpen(false)}>
            Done
          </Button>
        </div>
      </Popover>
      {count > 0 ? (
        <span
          aria-hidden
          className="pointer-events-none absolute -top-1.5 -right-1.5 grid size-4 place-items-center rounded-full bg-brand text-[11px] text-brand-foreground"
        >
          {count}
        </span>
      ) : null}
    </span>
  )
}

const any = 'any'

function FilterFields({ view, onView }: InboxFiltersProps) {
  const lines = useApi('conversations.lines', {}, { staleTime: 60_000 })
  const labels = useApi('labels.list', { query: {} }, { staleTime: 60_000 })
  const lineOptions = (lines.data?.lines ?? [])
    .filter(({ channel }) => view.channel === undefined || channel === view.channel)
    .map(({ _id, name, channel }) => ({ value: _id, label: `${name} · ${channelLabel(channel)}` }))
  const known = labels.data?.labels ?? []
  const labelOptions = view.label && !known.includes(view.label) ? [view.label, ...known] : known
  return (
    <>
      <Choice
        label="Status"
        value={view.status}
        options={[
          { value: 'active', label: 'All but resolved' },
          ...statuses.map((value) => ({ value, label: statusNames[value] })),
        ]}
        onChange={(status) => onView({ status })}
      />
      <Choice
        label="Channel"
        value={view.channel ?? any}
        options={[
          { value: any, label: 'Any channel' },
          ...channelList
            .filter(({ phone }) => phone !== undefined)
            .map(({ channel }) => ({ value: channel, label: channelLabel(channel) })),
        ]}
        onChange={(channel) => onView({ channel: channel === any ? undefined : channel, lineId: undefined })}
      />
      <Choice
        label="Line"
        value={view.lineId ?? any}
        options={[{ value: any, label: 'Any line' }, ...lineOptions]}
        onChange={(lineId) => onView({ lineId: lineId === any ? undefined : lineId })}
      />
      <Choice
        label="Label"
        value={view.label || any}
        options={[{ value: any, label: 'Any label' }, ...labelOptions.map((value) => ({ value, label: value }))]}
        onChange={(label) => onView({ label: label === any ? '' : label })}
      />
      <Choice
        label="Handled by"
        value={view.handledBy ?? any}
        options={[{ value: any, label: 'Anyone' }, ...holders.map((value) => ({ value, label: holderNames[value] }))]}
        onChange={(handledBy) => onView({ handledBy: handledBy === any ? undefined : handledBy })}
      />
      <SwitchLine label="Unread" checked={view.isUnread} onChange={(isUnread) => onView({ isUnread })} />
      <SwitchLine
        label="Window closes within 2 hours"
        checked={view.isClosingSoon}
        onChange={(isClosingSoon) => onView({ isClosingSoon })}
      />
    </>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <Field label={label}>
      <Select size="sm" value={value} options={options} onValueChange={onChange} />
    </Field>
  )
}

type SwitchLineProps = { label: string; checked: boolean; onChange: (checked: boolean) => void }

function SwitchLine({ label, checked, onChange }: SwitchLineProps) {
  return (
    <div className="flex items-center justify-between gap-3">
      <span aria-hidden>{label}</span>
      <Switch label={label} checked={checked} onCheckedChange={onChange} />
    </div>
  )
}
