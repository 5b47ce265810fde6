import type { WhatsappConnection, WhatsappNumber } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { Phone } from 'lucide-react'
import { limitLabel, nameStateOf, numberQualityLabels, stateOfNumber } from '../number-labels.ts'
import { mayCall } from '../../../lib/call.ts'
import { formatCount } from '../../../lib/format.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { senderOff } from '../../../lib/campaign-effects.ts'
import { useIsMobile } from '../../../lib/use-is-mobile.ts'
import { useSwitchOff } from '../../../lib/use-switch-off.ts'
import { SwitchOffDialog } from '../../../ui/campaigns-affected.tsx'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { DataTable } from '../../../ui/data-screen/data-table.tsx'
import { RowCards } from '../../../ui/data-screen/row-cards.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { When } from '../../../ui/text.tsx'
import { toast } from '../../../ui/toast.tsx'
import { LimitLadder } from './limit-ladder.tsx'

type Row = WhatsappNumber & { account: string }

/** Numbers as last reported by Meta, with a switch that starts and stops sending. */
export function NumbersTab({ connections }: { connections: readonly WhatsappConnection[] }) {
  const isMobile = useIsMobile()
  const columns = useColumns(connections.length > 1)
  const rows = connections.flatMap(({ name, numbers }) => numbers.map((number): Row => ({ ...number, account: name })))
  if (rows.length === 0) {
    return (
      <Empty icon={Phone} title="No number yet">
        The account has none, or they haven’t been read yet. Add one in WhatsApp Manager, then refresh.
      </Empty>
    )
  }
  const shared = {
    label: 'WhatsApp numbers',
    rows,
    rowId: (row: Row) => row._id,
    rowName: (row: Row) => row.displayPhoneNumber,
  }
  return (
    <>
      {rows.some(({ isActive }) => isActive) ? null : (
        <Notice tone="info" shape="bar">
          No number is on. Switch one on to send and receive.
        </Notice>
      )}
      {isMobile ? (
        <RowCards {...shared} card={(row) => <NumberCard row={row} />} />
      ) : (
        <DataTable {...shared} columns={columns} />
      )}
      <LimitLadder limits={rows.map(({ messagingLimit }) => messagingLimit)} />
    </>
  )
}

function useColumns(withAccount: boolean): Column<Row>[] {
  const columns: (Column<Row> | undefined)[] = [
    {
      id: 'number',
      header: 'Number',
      cell: ({ displayPhoneNumber, verifiedName, mode }) => (
        <span className="flex min-w-0 flex-col py-1">
          <b className="font-medium tabular-nums">{displayPhoneNumber}</b>
          <span className="text-caption text-muted-foreground">
            {verifiedName}
            {mode === 'sandbox' ? ' · test number' : ''}
          </span>
        </span>
      ),
    },
    withAccount ? { id: 'account', header: 'Account', cell: ({ account }) => account } : undefined,
    { id: 'state', header: 'Status', width: 132, cell: (row) => <StateLabel {...stateOfNumber(row)} /> },
    { id: 'name', header: 'Name', width: 140, cell: (row) => <StateLabel {...nameStateOf(row)} /> },
    {
      id: 'quality',
      header: 'Quality',
      width: 128,
      cell: ({ quality }) => <StateLabel {...numberQualityLabels[quality]} />,
    },
    {
      id: 'limit',
      header: 'Daily limit',
      width: 128,
      align: 'right',
      cell: ({ messagingLimit }) => limitLabel(messagingLimit),
    },
    {
      id: 'rate',
      header: 'Messages/s',
      width: 96,
      align: 'right',
      cell: ({ ratePerSecond }) => formatCount(ratePerSecond),
    },
    { id: 'checked', header: 'Checked', width: 104, cell: ({ checkedAt }) => <When at={checkedAt} /> },
    { id: 'on', header: 'On', width: 72, cell: (row) => <OnSwitch row={row} /> },
  ]
  return columns.filter((column) => column !== undefined)
}

function NumberCard({ row }: { row: Row }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <b className="min-w-0 flex-1 truncate tabular-nums">{row.displayPhoneNumber}</b>
        <OnSwitch row={row} />
      </div>
      <p className="text-dense text-muted-foreground">
        {row.verifiedName} · {row.account}
      </p>
      <p className="flex flex-wrap items-center gap-2 text-caption text-muted-foreground tabular-nums">
        <StateLabel {...stateOfNumber(row)} />
        <span>Quality {numberQualityLabels[row.quality].label.toLowerCase()}</span>
        <span>{limitLabel(row.messagingLimit)}</span>
        <span>{formatCount(row.ratePerSecond)}/s</span>
      </p>
    </div>
  )
}

function StateLabel({ label, tone }: ReturnType<typeof stateOfNumber>) {
  return <Pill tone={tone}>{label}</Pill>
}

function OnSwitch({ row }: { row: Row }) {
  const activate = useApiWrite('wabas.activate', {
    refreshes: ['wabas.list', 'wabas.active'],
    onSuccess: ({ isActive, displayPhoneNumber }) =>
      toast.success(isActive ? `${displayPhoneNumber} is switched on` : `${displayPhoneNumber} is switched off`),
    onError: (error) => toast.error(error.message),
  })
  const guard = useSwitchOff()
  const shown = activate.isPending ? activate.variables.body.isActive : row.isActive
  const change = (isActive: boolean) => activate.mutate({ body: { id: row._id, isActive } })
  return (
    <>
      <Switch
        label={`${row.displayPhoneNumber} sends and receives`}
        checked={shown}
        disabled={!mayCall('wabas.activate') || activate.isPending || guard.isChecking}
        onCheckedChange={(isActive) =>
          isActive ? change(true) : guard.switchOff({ need: 'sender', ids: row._id }, () => change(false))
        }
      />
      <SwitchOffDialog
        guard={guard}
        title={`Switch off ${row.displayPhoneNumber}?`}
        action="Switch off number"
        effects={senderOff}
      />
    </>
  )
}
