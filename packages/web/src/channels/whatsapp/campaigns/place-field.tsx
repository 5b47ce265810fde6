import type { TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'

type Place = NonNullable<TemplateValues['location']>

type PlaceFieldProps = { place: Place | undefined; onPlace: (place: Place | undefined) => void }

/** The map location sent to everyone: coordinates, name and address. */
export function PlaceField({ place, onPlace }: PlaceFieldProps) {
  const [typed, setTyped] = useState({
    name: place?.name ?? '',
    address: place?.address ?? '',
    latitude: place ? String(place.latitude) : '',
    longitude: place ? String(place.longitude) : '',
  })

  function change(patch: Partial<typeof typed>) {
    const next = { ...typed, ...patch }
    setTyped(next)
    const latitude = degreesOf(next.latitude, 90)
    const longitude = degreesOf(next.longitude, 180)
    const isWhole = latitude !== undefined && longitude !== undefined
    onPlace(isWhole ? { latitude, longitude, name: next.name.trim(), address: next.address.trim() } : undefined)
  }
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-3 max-md:grid-cols-1">
      <Field label="Name">
        <Input
          placeholder="Acme, MG Road"
          maxLength={200}
          value={typed.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field label="Address">
        <Input
          placeholder="MG Road, Pune"
          maxLength={500}
          value={typed.address}
          onChange={(event) => change({ address: event.target.value })}
        />
      </Field>
      <Field label="Latitude" error={complaintOf(typed.latitude, 90)}>
        <Input
          inputMode="decimal"
          placeholder="18.5204"
          maxLength={12}
          value={typed.latitude}
          onChange={(event) => change({ latitude: event.target.value })}
        />
      </Field>
      <Field label="Longitude" error={complaintOf(typed.longitude, 180)}>
        <Input
          inputMode="decimal"
          placeholder="73.8567"
          maxLength={12}
          value={typed.longitude}
          onChange={(event) => change({ longitude: event.target.value })}
        />
      </Field>
    </div>
  )
}

function degreesOf(text: string, most: number): number | undefined {
  const degrees = /^-?\d{1,3}(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
  return degrees !== undefined && Math.abs(degrees) <= most ? degrees : undefined
}

function complaintOf(text: string, most: number): string | undefined {
  return text === '' || degreesOf(text, most) !== undefined ? undefined : `Degrees between -${most} and ${most}`
}
