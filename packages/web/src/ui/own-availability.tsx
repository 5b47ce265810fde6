import { useApi } from '../lib/use-api.ts'
import { useSetAvailability } from '../lib/use-set-availability.ts'
import { AvailabilityMenu } from './availability.tsx'
import { toast } from './toast.tsx'

/** The availability of the signed-in account; nothing while it is loaded or if it cannot be. */
export function OwnAvailability() {
  const own = useApi('agents.own', {}, { refetchInterval: 60_000 })
  const set = useSetAvailability(({ message }) => toast.error(message))
  if (!own.data) return null
  const { _id, availability, autoOffline } = own.data
  return (
    <AvailabilityMenu
      availability={availability}
      label="Your availability"
      onChange={(next) => set(_id, { availability: next })}
      more={[
        'separator',
        {
          label: 'Go offline when I close the browser',
          isCurrent: autoOffline,
          onSelect: () => set(_id, { availability, autoOffline: !autoOffline }),
        },
      ]}
    />
  )
}
